#pragma once
#include <memory>

#include "core/lazy.h"
#include "core/owned_points.h"
#include "core/transformer.h"
#include "layout/layout.h"
#include "layout/point_placer.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

class ArchiveReader;

/// transform for every optimised map: a row that equals a training point has its coordinates, the first of several; any
/// other row is placed against the fixed map by its nearest training points. It also keeps the optimiser's state, so
/// that a model can be gone on from.
class LayoutTransformer : public Transformer {
 public:
  struct Parts {
    NeighborOptions search = {};  ///< of the neighbours of new points
    OwnedPoints points = {};      ///< the training points; none if distances were given
    NeighborGraph nearest = {};   ///< if distances were given: those of the training points
    std::shared_ptr<const Array2<double>> map = {};
    LayoutState state = {};
    std::shared_ptr<const PointPlacer> placer = {};
    /// The map is of landmarks, which are the training points here: it is not that of the model.
    bool is_of_landmarks = false;
  };
  explicit LayoutTransformer(Parts parts);
  ~LayoutTransformer() override;

  TransformKind kind() const override { return TransformKind::Optimized; }
  RowStorage storage() const override { return storage_of(view_of(parts_.points)); }
  Array2<double> transform(PointsView points, const Run& run) const override;
  const LayoutState* layout_state() const override { return &parts_.state; }
  /// The same for a model whose points were all placed by this map of landmarks.
  std::shared_ptr<const Transformer> of_landmarks() const;
  void save(ArchiveWriter& archive) const override;
  static bool is_in(const ArchiveReader& archive);
  static std::shared_ptr<const Transformer> load(const ArchiveReader& archive);

 private:
  struct LookUp;
  bool is_given() const { return parts_.search.metric == Metric::Precomputed; }
  const LookUp& look_up(const Run& run) const;
  void place_rows(PointsView points, double* result, const Run& run) const;
  Index copied_from(PointsView queries, Index i, const NeighborGraph& found) const;
  void check_unit(Index row, double distance) const;

  Parts parts_;
  double farthest_ = 0;  ///< of given distances: the largest among the nearest
  Lazy<LookUp> look_up_;
};

}  // namespace unroll
