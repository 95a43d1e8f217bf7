#include "data/feature_scaler.h"

namespace unroll {
namespace {

class ScaledTransformer final : public Transformer {
 public:
  ScaledTransformer(FeatureScaler scaler, std::shared_ptr<const Transformer> inner)
      : scaler_(std::move(scaler)), inner_(std::move(inner)) {}

  TransformKind kind() const override { return inner_->kind(); }
  RowStorage storage() const override { return scaler_.keeps_zeros() ? inner_->storage() : RowStorage::Dense; }

  Array2<double> transform(PointsView points, const Run& run) const override {
    const OwnedPoints scaled = scaler_.apply(points, run);
    return inner_->transform(view_of(scaled), run);
  }

  std::vector<Index> predict(PointsView points, const Run& run) const override {
    const OwnedPoints scaled = scaler_.apply(points, run);
    return inner_->predict(view_of(scaled), run);
  }

  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override {
    return scaler_.undo(inner_->inverse_transform(coordinates, run), run);
  }

  const LayoutState* layout_state() const override { return inner_->layout_state(); }

  void save(ArchiveWriter& archive) const override {
    scaler_.save(archive);
    inner_->save(archive);
  }

 private:
  FeatureScaler scaler_;
  std::shared_ptr<const Transformer> inner_;
};

}  // namespace

std::shared_ptr<const Transformer> with_scaling(const FeatureScaler& scaler, std::shared_ptr<const Transformer> inner) {
  if (scaler.is_identity()) return inner;
  return std::make_shared<ScaledTransformer>(scaler, std::move(inner));
}

}  // namespace unroll
