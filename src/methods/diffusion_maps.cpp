#include "unroll/methods/diffusion_maps.h"

#include "affinity/graph_options.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "spectral/graph_landmarks.h"
#include "spectral/graph_model.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = DiffusionMapsOptions::method_name;
constexpr const Recipe& kRecipe = recipe(SpectralMethod::DiffusionMaps);

AffinityOptions kernel_options(const DiffusionMapsOptions& options) {
  AffinityOptions result = affinity_options(options);
  result.unit_diagonal = true;
  return result;
}

Model fitted(AffinityFit affinity, const DiffusionMapsOptions& options, Index n_features, const FeatureScaler& scaler,
             const Run& run) {
  GraphFit fit = fit_graph(kRecipe, std::move(affinity),
                           {.who = kWho,
                            .n_components = options.n_components,
                            .solver = options.eigen_solver,
                            .seed = static_cast<std::uint64_t>(options.random_state),
                            .alpha = options.alpha,
                            .time = options.t,
                            .separate = options.components == ComponentsPolicy::Separate},
                           options.independent, run);
  return Model({.method = std::string(kWho),
                .options = option_values(options),
                .n_features = n_features,
                .embedding = std::move(fit.embedding),
                .transformer = with_scaling(scaler, std::move(fit.transformer))});
}

}  // namespace

Model diffusion_maps(PointsView points, const DiffusionMapsOptions& options, const Run& run) {
  validate_options(options, kWho);
  check_points(kWho, points, 2, run);
  DiffusionMapsOptions effective = options;
  resolve_graph_options(points.rows(), effective);
  const ScaledPoints scaled(points, options.scale, run);
  if (options.n_landmarks)
    return fit_by_landmarks(scaled, effective, run, [](PointsView some, const auto& own, const Run& r) {
      return diffusion_maps(some, own, r);
    });
  return fitted(make_affinity(scaled.view(), kernel_options(effective), run), effective, points.cols(), scaled.scaler(),
                run);
}

Model diffusion_maps(const SparseMatrix& matrix, const DiffusionMapsOptions& options, const Run& run) {
  validate_options(options, kWho);
  DiffusionMapsOptions effective = options;
  resolve_sparse_options(matrix.rows, effective);
  return fitted(make_affinity(matrix, kernel_options(effective), run), effective, matrix.rows, FeatureScaler(), run);
}

}  // namespace unroll
