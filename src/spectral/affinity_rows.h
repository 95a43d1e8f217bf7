#pragma once
#include <memory>
#include <optional>
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
/// among the new point's k, or that has it within its own reach: without the second half, training rows would not be
/// reproduced. A point that lies on a training point has the row of that point (the first of several).
class AffinityRows {
 public:
  struct Parts {
    GraphKind graph = GraphKind::Neighbors;
    HeatKernel kernel = {};
    NeighborOptions options = {};
    bool unit_diagonal = false;
    OwnPoints points = {};                  ///< none: distances or weights come in
    NeighborGraph nearest = {};             ///< of the points, by the options; none for full graphs and given weights
    std::vector<JoiningEdge> joining = {};  ///< that were added to the graph
    Index size = 0;
  };
  explicit AffinityRows(Parts parts);
  ~AffinityRows();
  AffinityRows(const AffinityRows&) = delete;
  AffinityRows& operator=(const AffinityRows&) = delete;

  struct Found {
    SparseMatrix w = {};
    std::vector<Index> same = {};  ///< per row the training point it lies on; -1: none, or it cannot be told
  };

  Index columns() const { return parts_.size; }
  /// A row does not depend on the rows beside it, bit for bit.
  Found rows(PointsView points, const Run& run) const;

  void save(ArchiveWriter& archive) const;
  static std::shared_ptr<const AffinityRows> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  struct Lazy;
  const LookUp& look_up(const Run& run) const;
  Found neighbor_rows(PointsView points, const Run& run) const;
  Found full_rows(PointsView points, const Run& run) const;
  Found given_rows(PointsView points) const;

  Parts parts_;
  std::unique_ptr<Lazy> lazy_;
};

/// The edges of a symmetric graph that weigh something; none where all of them do.
std::optional<NeighborGraph> weighing(const NeighborGraph& graph, const HeatKernel& kernel);

/// The weights of a symmetric graph, columns ascending; `joining` are those of its edges that the policy has added.
SparseMatrix graph_weights(const NeighborGraph& graph, const std::vector<JoiningEdge>& joining,
                           const HeatKernel& kernel, bool unit_diagonal, const Run& run);

}  // namespace unroll
