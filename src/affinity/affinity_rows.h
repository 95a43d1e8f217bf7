#pragma once
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "affinity/heat_kernel.h"
#include "affinity/source_rows.h"
#include "core/owned_points.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_index.h"

namespace unroll {

/// W of new points: the row that a point would have had in training. A neighbour of a k-nearest graph is one that is
/// among the new point's k, or that has it within its own reach (of a mutual graph: and; of an average one each is half
/// of the weight): without the second half, training rows would not be reproduced. Where all entries of a sparse matrix
/// are the graph, rule_of_entries tells what k is; if it cannot, new points are refused. A point that
/// lies on a training point has the row of that point (the first of several); a row of given weights that is a training
/// row, too: it loses its weight to itself, if that row has. Where given weights were not symmetric, W has not the rows
/// as they were given: a training row then has its point's coordinates.
class AffinityRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "graph";
  struct Parts {
    GraphKind graph = GraphKind::Neighbors;
    HeatKernel kernel = {};
    NeighborOptions options = {};
    Symmetrization symmetrization = Symmetrization::Union;
    bool unit_diagonal = false;
    OwnedPoints points = {};                ///< none: distances or weights come in
    NeighborGraph nearest = {};             ///< of the points, by the options; none for full graphs and given weights
    std::vector<JoiningEdge> joining = {};  ///< that were added to the graph
    Index size = 0;
    double unit = 1;                        ///< that given weights are divided by
    std::vector<std::int64_t> prints = {};  ///< of the training rows of given weights: see RowPrint
    std::vector<double> degrees = {};       ///< of the training points, where given weights had to be averaged
  };
  explicit AffinityRows(Parts parts);
  ~AffinityRows() override;

  std::string_view kind() const override { return kKind; }
  Index columns() const override { return parts_.size; }
  NewRows rows(PointsView points, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  struct Lazy;
  const LookUp& look_up(const Run& run) const;
  NewRows neighbor_rows(PointsView points, const Run& run) const;
  NewRows full_rows(PointsView points, const Run& run) const;
  NewRows given_rows(PointsView points) const;
  /// What counts of the weight of an edge of this length from a new point to training point j, its `place`-th nearest.
  double share(const NeighborOptions& rule, Index place, Index j, double length) const;
  std::optional<Index> training_row(std::int64_t print) const;

  Parts parts_;
  std::vector<std::pair<std::int64_t, Index>> by_print_;  ///< ascending
  std::unique_ptr<Lazy> lazy_;
};

/// What counts of the weight of every edge of `graph`, which the rule made of `nearest`; empty: all of it.
std::vector<double> edge_shares(Symmetrization rule, const NeighborGraph& nearest, const NeighborGraph& graph);

/// The edges of a symmetric graph that weigh something; none where all of them do.
std::optional<NeighborGraph> weighing(const NeighborGraph& graph, const HeatKernel& kernel);

/// The weights of a symmetric graph, columns ascending. Of every edge that share counts which it has in `shares` (none:
/// all of it), of the edges in `joining`, which the policy has added, at least what joining_weight says.
SparseMatrix graph_weights(const NeighborGraph& graph, const std::vector<double>& shares,
                           const std::vector<JoiningEdge>& joining, const HeatKernel& kernel, bool unit_diagonal,
                           const Run& run);

}  // namespace unroll
