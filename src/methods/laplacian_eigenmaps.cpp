#include "unroll/methods/laplacian_eigenmaps.h"

#include "affinity/graph_options.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "spectral/graph_landmarks.h"
#include "spectral/graph_model.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = LaplacianEigenmapsOptions::method_name;

Model fitted(AffinityFit affinity, const LaplacianEigenmapsOptions& options, Index n_features,
             const FeatureScaler& scaler, const Run& run) {
  GraphFit fit = fit_graph(find_recipe(SpectralMethod::LaplacianEigenmaps, options.laplacian), std::move(affinity),
                           {.who = kWho,
                            .n_components = options.n_components,
                            .solver = options.eigen_solver,
                            .seed = static_cast<std::uint64_t>(options.random_state),
                            .separate = options.components == ComponentsPolicy::Separate},
                           options.independent, run);
  return Model({.method = std::string(kWho),
                .options = option_values(options),
                .n_features = n_features,
                .embedding = std::move(fit.embedding),
                .transformer = with_scaling(scaler, std::move(fit.transformer))});
}

}  // namespace

Model laplacian_eigenmaps(PointsView points, const LaplacianEigenmapsOptions& options, const Run& run) {
  validate_options(options, kWho);
  check_points(kWho, points, 2, run);
  LaplacianEigenmapsOptions effective = options;
  resolve_graph_options(points.rows(), effective);
  const ScaledPoints scaled(points, options.scale, run);
  if (options.n_landmarks)
    return fit_by_landmarks(scaled, effective, run, [](PointsView some, const auto& own, const Run& r) {
      return laplacian_eigenmaps(some, own, r);
    });
  return fitted(make_affinity(scaled.view(), affinity_options(effective), run), effective, points.cols(),
                scaled.scaler(), run);
}

Model laplacian_eigenmaps(const SparseMatrix& matrix, const LaplacianEigenmapsOptions& options, const Run& run) {
  validate_options(options, kWho);
  LaplacianEigenmapsOptions effective = options;
  resolve_sparse_options(matrix.rows, effective);
  return fitted(make_affinity(matrix, affinity_options(effective), run), effective, matrix.rows, FeatureScaler(), run);
}

}  // namespace unroll
