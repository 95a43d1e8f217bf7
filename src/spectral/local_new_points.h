#pragma once
#include <memory>
#include <vector>

#include "affinity/reconstruction_weights.h"
#include "core/own_points.h"
#include "core/transformer.h"
#include "spectral/recipe.h"
#include "unroll/core/sparse.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

class ArchiveReader;

/// Places new points as the table says of local methods: by weights on the nearest training points (LLE, modified LLE),
/// or by the affine map of the nearest training point's patch onto its coordinates (Hessian LLE, LTSA), which takes
/// that point to its own. A row that lies on a training point has its coordinates, exactly; those of the first where
/// there are several. Where components have maps of their own, a point belongs to that of its nearest training point.
/// Weights with reg = 0 are those in the limit of none where the neighbours of a new point are dependent, and a
/// negative part of inner products that no points have is left out, as in training.
class LocalTransformer : public Transformer {
 public:
  struct Parts {
    NewPointRule rule = NewPointRule::Weights;
    NeighborOptions options = {};
    OwnPoints points = {};               ///< or the full matrix of distances
    SparseMatrix distances = {};         ///< where these are all there is
    NeighborGraph nearest = {};          ///< patches of the training points
    std::vector<Index> components = {};  ///< per training point, where each has a map of its own; empty: one map
    WeightsOptions weights = {};
    Index tangent = 0;  ///< dimension of the affine maps
    Array2<double> coordinates = {};
  };
  explicit LocalTransformer(Parts parts);
  ~LocalTransformer() override;

  TransformKind kind() const override { return TransformKind::Weights; }
  Array2<double> transform(PointsView points, const Run& run) const override;
  void save(ArchiveWriter& archive) const override;
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  struct Lazy;
  struct PlacingScratch;
  const LookUp& look_up(const Run& run) const;
  std::vector<double> distances_to(const std::vector<Index>& members, PointsView queries, Index i,
                                   const LookUp& stored) const;
  void place(PointsView queries, Index i, const NeighborGraph& found, const LookUp& stored, PlacingScratch& scratch,
             double* out) const;

  Parts parts_;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace unroll
