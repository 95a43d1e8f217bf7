#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "affinity/heat_kernel.h"
#include "core/own_points.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_index.h"

namespace unroll {

class ArchiveReader;
class ArchiveWriter;

/// W of new points: the row that a point would have had in training. A neighbour of a k-nearest graph is one that is
/// among the new point's k, or that has it within its own reach (of a mutual graph: and; of an average one each is half
/// of the weight): without the second half, training rows would not be reproduced. A point that lies on a training point has the row of that point (the first of several); a row of given
/// weights that is a training row, too: it loses its weight to itself, if that row has.
class AffinityRows {
 public:
  struct Parts {
    GraphKind graph = GraphKind::Neighbors;
    HeatKernel kernel = {};
    NeighborOptions options = {};
    Symmetrization symmetrization = Symmetrization::Union;
    bool unit_diagonal = false;
    OwnPoints points = {};                  ///< none: distances or weights come in
    NeighborGraph nearest = {};             ///< of the points, by the options; none for full graphs and given weights
    std::vector<JoiningEdge> joining = {};  ///< that were added to the graph
    Index size = 0;
    double unit = 1;                        ///< that given weights are divided by
    std::vector<std::int64_t> prints = {};  ///< of the training rows of given weights, if their diagonal was dropped
  };
  explicit AffinityRows(Parts parts);
  ~AffinityRows();
  AffinityRows(const AffinityRows&) = delete;
  AffinityRows& operator=(const AffinityRows&) = delete;

  Index columns() const { return parts_.size; }
  /// A row does not depend on the rows beside it, bit for bit.
  SparseMatrix rows(PointsView points, const Run& run) const;

  void save(ArchiveWriter& archive) const;
  static std::shared_ptr<const AffinityRows> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  struct Lazy;
  const LookUp& look_up(const Run& run) const;
  SparseMatrix neighbor_rows(PointsView points, const Run& run) const;
  SparseMatrix full_rows(PointsView points, const Run& run) const;
  /// What counts of the weight of an edge of this length from a new point to training point j, its `place`-th nearest.
  double share(Index place, Index j, double length) const;
  SparseMatrix given_rows(PointsView points) const;
  std::optional<Index> training_row(std::int64_t print) const;

  Parts parts_;
  std::vector<std::pair<std::int64_t, Index>> by_print_;  ///< ascending
  std::unique_ptr<Lazy> lazy_;
};

/// The weights of a symmetric graph, columns ascending; of every edge that share which counts (none given: all).
SparseMatrix graph_weights(const NeighborGraph& graph, const std::vector<double>& shares, const HeatKernel& kernel,
                           bool unit_diagonal, const Run& run);

}  // namespace unroll
