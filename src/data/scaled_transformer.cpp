#include "data/feature_scaler.h"

namespace unroll {
namespace {

class ScaledTransformer final : public Transformer {
 public:
  ScaledTransformer(FeatureScaler scaler, std::shared_ptr<const Transformer> inner)
      : scaler_(std::move(scaler)), inner_(std::move(inner)) {}

  TransformKind kind() const override { return inner_->kind(); }

  Array2<double> transform(PointsView points, const Run& run) const override {
    const auto scaled = scaler_.apply(points, run);
    return std::visit([&](const auto& array) { return inner_->transform(array, run); }, scaled);
  }

  std::vector<Index> predict(PointsView points, const Run& run) const override {
    const auto scaled = scaler_.apply(points, run);
    return std::visit([&](const auto& array) { return inner_->predict(array, run); }, scaled);
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
