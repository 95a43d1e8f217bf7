#pragma once
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "affinity/heat_kernel.h"
#include "affinity/source_rows.h"
#include "core/lazy.h"
#include "core/owned_points.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// W of new points: the row that a point would have had in training. In a k-nearest graph its neighbours are its own k
/// nearest, and the points that have it within their reach; without the second half, training rows would not be
/// reproduced. In a mutual graph both must hold, in an average graph each is half of the weight. If all entries of a
/// sparse matrix are edges, rule_of_entries finds k; if it cannot, new points are refused.
/// A point that equals a training point has the row of that point, the first of several. So has a row of given weights
/// that equals a training row; it loses its weight to itself if the training row has lost it. If given weights were not
/// symmetric, W differs from the given rows, and a training row gets its point's coordinates.
class AffinityRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "graph";
  struct Parts {
    GraphKind graph = GraphKind::Neighbors;
    HeatKernel kernel = {};
    NeighborOptions options = {};
    Symmetrization symmetrization = Symmetrization::Union;
    bool unit_diagonal = false;
    OwnedPoints points = {};                ///< none: the input is distances or weights
    NeighborGraph nearest = {};             ///< neighbours of the points; none for full graphs and given weights
    std::vector<JoiningEdge> joining = {};  ///< edges that were added to the graph
    Index size = 0;
    double unit = 1;                        ///< given weights are divided by it
    std::vector<std::int64_t> prints = {};  ///< hashes of the training rows of given weights: see RowPrint
    std::vector<double> degrees = {};       ///< of the training points, if given weights were averaged
  };
  explicit AffinityRows(Parts parts);
  ~AffinityRows() override;

  std::string_view kind() const override { return kKind; }
  Index columns() const override { return parts_.size; }
  RowForm form() const override { return RowForm::EdgeWeights; }
  bool is_sparse() const override { return view_of(parts_.points).is_sparse(); }
  bool knows_components() const override { return true; }
  NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  const LookUp& look_up(const Run& run) const;
  NewRows neighbor_rows(PointsView points, const Run& run) const;
  NewRows full_rows(PointsView points, const Run& run) const;
  NewRows given_rows(PointsView points) const;
  /// The share, 0 to 1, of the weight of an edge of this length from a new point to training point j, its `place`-th
  /// nearest.
  double share(const NeighborOptions& rule, Index place, Index j, double length) const;
  std::optional<Index> training_row(std::int64_t print) const;

  Parts parts_;
  std::vector<std::pair<std::int64_t, Index>> by_print_;  ///< ascending
  Lazy<LookUp> look_up_;
};

/// The share of its weight that every edge of `graph` has, which the rule made of `nearest`; empty: all of it.
std::vector<double> edge_shares(Symmetrization rule, const NeighborGraph& nearest, const NeighborGraph& graph);

/// The edges of a symmetric graph whose weight is not 0; none if that is all of them.
std::optional<NeighborGraph> weighing(const NeighborGraph& graph, const HeatKernel& kernel);

/// The weights of a symmetric graph, columns ascending. `shares` holds the factor of every edge (empty: 1). An edge of
/// `joining`, which the policy has added, weighs at least joining_weight.
SparseMatrix graph_weights(const NeighborGraph& graph, const std::vector<double>& shares,
                           const std::vector<JoiningEdge>& joining, const HeatKernel& kernel, bool unit_diagonal,
                           const Run& run);

}  // namespace unroll
