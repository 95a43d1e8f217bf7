#include "eigen/reduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/archive.h"
#include "core/memory.h"
#include "core/model_file.h"
#include "core/text.h"
#include "eigen/principal_axes.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

class ReducedTransformer final : public Transformer {
 public:
  ReducedTransformer(std::shared_ptr<const LinearProjection> projection, std::shared_ptr<const Transformer> inner)
      : projection_(std::move(projection)), inner_(std::move(inner)) {}

  TransformKind kind() const override { return inner_->kind(); }
  RowStorage storage() const override { return RowStorage::Any; }

  Array2<double> transform(PointsView points, const Run& run) const override {
    return inner_->transform(projection_->transform(points, run), run);
  }

  std::vector<Index> predict(PointsView points, const Run& run) const override {
    return inner_->predict(projection_->transform(points, run), run);
  }

  Array2<double> inverse_transform(PointsView coordinates, const Run& run) const override {
    return projection_->inverse_transform(inner_->inverse_transform(coordinates, run), run);
  }

  const LayoutState* layout_state() const override { return inner_->layout_state(); }

  void save(ArchiveWriter& archive) const override {
    projection_->save_as(kReduction, archive);
    inner_->save(archive);
  }

 private:
  std::shared_ptr<const LinearProjection> projection_;
  std::shared_ptr<const Transformer> inner_;
};

}  // namespace

Reduction reduced(PointsView points, std::int64_t axes, std::uint64_t seed, const Run& run) {
  const Index most = std::min(points.rows(), points.cols());
  if (axes > most)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("pca={} must be at most min(n_samples, n_features)={} ({}, {})", axes, most,
                                        counted(points.rows(), "sample"), counted(points.cols(), "feature")),
                 .advice = "use a smaller number of axes, or leave it out",
                 .option = "pca"});
  MemoryPlan()
      .add("the points on their principal axes", static_cast<double>(points.rows()), static_cast<double>(axes),
           sizeof(double))
      .add("the axes", static_cast<double>(axes), static_cast<double>(points.cols()), 2 * sizeof(double))
      .require(run, "use a smaller pca");
  const CenteredPoints z = centered(points, run);
  PrincipalAxes found = principal_axes(z, {static_cast<double>(axes)}, AxesSolver::Auto, seed, run);
  const auto count = static_cast<std::size_t>(found.axes.rows());
  Reduction result{.projection = std::make_shared<const LinearProjection>(LinearProjection::Parts{
                       z.scale, z.center, std::make_shared<const Array2<double>>(std::move(found.axes)),
                       std::vector<double>(count, 1 / z.scale)})};
  result.coordinates = result.projection->transform(points, run);
  return result;
}

std::shared_ptr<const Transformer> with_reduction(std::shared_ptr<const LinearProjection> projection,
                                                  std::shared_ptr<const Transformer> inner) {
  if (projection == nullptr) return inner;
  return std::make_shared<ReducedTransformer>(std::move(projection), std::move(inner));
}

std::shared_ptr<const LinearProjection> load_reduction(const ArchiveReader& archive) {
  if (!has_reduction(archive)) return nullptr;
  return LinearProjection::load_as(kReduction, method_features(archive), archive.integer("n_features"), archive);
}

}  // namespace unroll
