#pragma once
#include <memory>
#include <vector>

#include "affinity/reconstruction_weights.h"
#include "affinity/source_rows.h"
#include "core/lazy.h"
#include "core/owned_points.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// How a new point is expressed by training points.
enum class PatchRule {
  Weights,  ///< weights on its nearest training points (LLE, modified LLE)
  Affine,   ///< the affine map of the nearest one's patch, exact at that point (Hessian LLE, LTSA)
};

/// Rows of new points for methods of local fits: weights on training points that sum to one. A row that equals a
/// training point is that point, the first of several. If components have their own maps, a point belongs to the
/// component of its nearest training point. With reg = 0 and dependent neighbours, the weights are those in the limit
/// of no regularisation. Negative eigenvalues of inner products are removed, as in training.
class PatchRows : public SourceRows {
 public:
  static constexpr std::string_view kKind = "patches";

  struct Parts {
    PatchRule rule = PatchRule::Weights;
    NeighborOptions options = {};
    Index size = 0;               ///< training points
    OwnedPoints points = {};      ///< or the full matrix of distances
    SparseMatrix distances = {};  ///< if the input was sparse distances
    NeighborGraph nearest = {};   ///< patches of the training points, for affine maps
    WeightsOptions weights = {};
    Index tangent = 0;  ///< dimension of the affine maps
  };
  explicit PatchRows(Parts parts);
  ~PatchRows() override;

  std::string_view kind() const override { return kKind; }
  Index columns() const override { return parts_.size; }
  RowForm form() const override { return parts_.rule == PatchRule::Affine ? RowForm::LocalMap : RowForm::Weights; }
  bool is_sparse() const override { return view_of(parts_.points).is_sparse(); }
  bool knows_components() const override { return true; }
  NewRows rows(PointsView points, const std::vector<Index>& components, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const SourceRows> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  struct Scratch;
  /// A row of weights.
  struct Mixture {
    std::vector<Index> columns = {};
    std::vector<double> weights = {};
  };
  const LookUp& look_up(const Run& run) const;
  std::vector<double> distances_to(const std::vector<Index>& members, PointsView queries, Index i,
                                   const LookUp& stored) const;
  Index copied_from(PointsView queries, Index i, const NeighborGraph& found) const;
  Mixture mixture(PointsView queries, Index i, const NeighborGraph& found, const std::vector<Index>& components,
                  const LookUp& stored, Scratch& scratch) const;

  Parts parts_;
  Lazy<LookUp> look_up_;
};

}  // namespace unroll
