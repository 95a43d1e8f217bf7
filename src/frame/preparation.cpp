#include "frame/preparation.h"

#include <fmt/format.h>

#include "core/archive.h"
#include "unroll/core/error.h"

namespace unroll {

void check_preparation(const Input& input, const PreparationOptions& options) {
  check_scaling(input.kind(), options.scale);
  if (options.pca && !input.has_points())
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("pca={} is for points, but the input is {}",
                                                                  *options.pca, name_of(input.kind())),
                                           .advice = "leave it out",
                                           .option = "pca"});
}

Preparation::Preparation(const Input& input, const PreparationOptions& options, const Run& run)
    : scaled_(input.is_sparse() ? PointsView() : input.full(), options.scale, run) {
  if (options.pca)
    reduction_ = reduced(scaled_.view(), *options.pca, static_cast<std::uint64_t>(options.random_state), run);
}

Input Preparation::applied(Input input) const {
  if (reduction_.projection != nullptr) {
    input.data = PointsView(reduction_.coordinates);
  } else if (!scaled_.scaler().is_identity()) {
    input.data = Input(scaled_.view()).data;
  }
  return input;
}

std::shared_ptr<const Transformer> Preparation::before(std::shared_ptr<const Transformer> inner) const {
  return with_scaling(scaled_.scaler(), with_reduction(reduction_.projection, std::move(inner)));
}

std::shared_ptr<const Transformer> Preparation::loaded(const ArchiveReader& archive, Index n_features,
                                                       std::shared_ptr<const Transformer> inner) {
  const FeatureScaler scaler = FeatureScaler::load(archive, n_features);
  std::shared_ptr<const LinearProjection> projection = load_reduction(archive);
  if (inner->storage() == RowStorage::Sparse && (projection != nullptr || !scaler.keeps_zeros()))
    archive.fail(projection != nullptr ? "reduction.axes" : "scaling.kind", "does not go with sparse points");
  return with_scaling(scaler, with_reduction(std::move(projection), std::move(inner)));
}

}  // namespace unroll
