#include "unroll/methods/spectral_clustering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/graph_options.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "graph/partition_cut.h"
#include "spectral/cluster_assignment.h"
#include "spectral/embedding.h"
#include "spectral/graph_landmarks.h"
#include "spectral/graph_source.h"
#include "spectral/transformer.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = SpectralClusteringOptions::method_name;
constexpr Index kMoreEigenvalues = 5;   // beyond the clusters asked for, or the components: there may be more of them
constexpr Index kMostComponents = 100;  // that are looked beyond: every one is a column until the others are dropped

AffinityOptions graph_options(const SpectralClusteringOptions& options) {
  AffinityOptions result = affinity_options(options);
  result.policy.can_separate = false;
  return result;
}

/// What holds for points and matrices alike.
void resolve_clusters(Index n, SpectralClusteringOptions& options) {
  if (options.n_clusters > n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_clusters={} must be at most the number of points, {}; use a smaller n_clusters",
                            kWho, options.n_clusters, n));
  if (options.n_landmarks && options.n_clusters > *options.n_landmarks)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: n_clusters={} must be at most n_landmarks={}; use more landmarks or fewer clusters",
                            kWho, options.n_clusters, *options.n_landmarks));
  if (options.n_landmarks && options.n_components.value_or(1) > *options.n_landmarks)
    throw Error(
        ErrorKind::InvalidOption,
        fmt::format("{}: n_components={} must be at most n_landmarks={}; use more landmarks or fewer components", kWho,
                    *options.n_components, *options.n_landmarks));
  if (options.components == ComponentsPolicy::Separate)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: components=separate draws a map of each part, but clusters need one map of all; use "
                            "keep, connect or error",
                            kWho));
  if (!options.n_components) options.n_components = options.n_clusters;
}

/// Eigenvalues to find: every component has one of 0, and the gap is behind these.
Index looked_at(const Affinity& affinity, const SpectralClusteringOptions& options) {
  const Index parts = affinity.components.count();
  const Index known = parts <= kMostComponents ? std::max(options.n_clusters, parts) : options.n_clusters;
  return std::max(*options.n_components, std::min(known + kMoreEigenvalues, affinity.size()));
}

/// The number of eigenvalues before the largest gap of their roots. These are frequencies: on a sheet of any dimension
/// without clusters they are less and less apart, while the eigenvalues of a curve are more and more so. Of gaps that
/// are within a tenth of the largest the first counts: those of a curve are equal but for noise. Not less than the
/// components, whose eigenvalues are 0.
Index suggested_clusters(const std::vector<double>& values, Index components) {
  if (std::ssize(values) <= components) return components;
  const auto gap = [&](std::size_t k) {
    return std::sqrt(std::max(0.0, values[k])) - std::sqrt(std::max(0.0, values[k - 1]));
  };
  double largest = 0;
  const auto parts = static_cast<std::size_t>(components);
  for (std::size_t k = parts; k < values.size(); ++k) largest = std::max(largest, gap(k));
  std::size_t first = parts;
  while (gap(first) < 0.9 * largest) ++first;
  return static_cast<Index>(first);
}

/// The eigenvectors of the graph as a model, not yet parted.
Model::Parts mapped(AffinityFit& affinity, const SpectralClusteringOptions& options, Index n_features,
                    const FeatureScaler& scaler, const Run& run) {
  const Recipe& row = find_recipe(SpectralMethod::SpectralClustering, options.laplacian);
  GraphSource source(row, affinity.affinity, 0, run);
  source.set_dimension(affinity.dimension);
  SpectralFit map = embed(row, source,
                          {.who = kWho,
                           .n_components = looked_at(affinity.affinity, options),
                           .solver = options.eigen_solver,
                           .seed = static_cast<std::uint64_t>(options.random_state),
                           .unit = affinity.unit,
                           .given_weights = affinity.given},
                          run);
  std::vector<Index> first(static_cast<std::size_t>(*options.n_components));
  std::iota(first.begin(), first.end(), Index{0});
  select_columns(first, false, map);  // the other eigenvalues are there to see the gap behind
  Model::Parts parts{.method = std::string(kWho),
                     .options = option_values(options),
                     .n_features = n_features,
                     .embedding = {.coordinates = std::move(map.coordinates),
                                   .spectrum = std::move(map.spectrum),
                                   .warnings = std::move(affinity.warnings),
                                   .diagnostics = std::move(affinity.diagnostics)}};
  parts.embedding.warnings.insert(parts.embedding.warnings.end(), map.warnings.begin(), map.warnings.end());
  parts.embedding.diagnostics.emplace_back(
      "suggested_clusters",
      std::int64_t{suggested_clusters(parts.embedding.spectrum.values, affinity.affinity.components.count())});
  parts.transformer =
      with_scaling(scaler, std::make_shared<const SpectralTransformer>(TransformKind::Nystrom, std::move(affinity.rows),
                                                                       std::move(map.placing)));
  return parts;
}

/// `affinity` is null where there is none of all points.
SpectralClustering clustered(Model::Parts parts, const Affinity* affinity, const SpectralClusteringOptions& options,
                             const Run& run) {
  Embedding& map = parts.embedding;
  ClusterAssignment found =
      assign_clusters(map.coordinates, options.n_clusters, options.n_init, options.random_state, run);
  map.warnings.insert(map.warnings.end(), found.warnings.begin(), found.warnings.end());
  std::vector<double> sizes(static_cast<std::size_t>(options.n_clusters));
  for (const Index label : found.labels) ++sizes[static_cast<std::size_t>(label)];
  map.diagnostics.emplace_back("cluster_sizes", std::move(sizes));
  map.diagnostics.emplace_back("inertia", found.inertia);
  if (affinity != nullptr) {
    std::vector<double> conductance;
    for (const Cut& cut : partition_cuts(*affinity, found.labels, options.n_clusters, run))
      conductance.push_back(cut.conductance);
    map.diagnostics.emplace_back("largest_conductance", *std::max_element(conductance.begin(), conductance.end()));
    map.diagnostics.emplace_back("conductance", std::move(conductance));
  }
  map.diagnostics.emplace_back("centers", std::make_shared<const Array2<double>>(std::move(found.centers)));
  return SpectralClustering(Model(std::move(parts)), run);
}

Model::Parts mapped_by_landmarks(const ScaledPoints& scaled, const SpectralClusteringOptions& options, const Run& run) {
  const Model map = fit_by_landmarks(scaled, options, run, [](PointsView some, const auto& own, const Run& inner) {
    AffinityFit affinity = make_affinity(some, graph_options(own), inner);
    return Model(mapped(affinity, own, some.cols(), FeatureScaler(), inner));
  });
  return {.method = map.method(),
          .options = map.options(),
          .n_features = map.n_features(),
          .embedding = map.embedding(),
          .transformer = map.transformer()};
}

}  // namespace

SpectralClustering::SpectralClustering(Model fitted, const Run& run) : model(std::move(fitted)) {
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorKind::InvalidData, fmt::format("{}: the model, of {}, {}; use one of 'unroll cluster --save'",
                                                    kWho, model.method(), what));
  };
  if (model.method() != kWho) refuse("has no clusters");
  for (const auto& [name, value] : model.embedding().diagnostics)
    if (const auto* matrix = std::get_if<std::shared_ptr<const Array2<double>>>(&value); name == "centers" && matrix)
      centers = **matrix;
  if (centers.rows() == 0 || centers.cols() != model.n_components()) refuse("has no centers of its coordinates");
  labels = nearest_centers(model.coordinates(), centers, run);
}

std::vector<Index> SpectralClustering::predict(PointsView points, const Run& run) const {
  return nearest_centers(model.transform(points, run), centers, run);
}

SpectralClustering spectral_clustering(PointsView points, const SpectralClusteringOptions& options, const Run& run) {
  validate_options(options, kWho);
  check_points(kWho, points, 2, run);
  SpectralClusteringOptions effective = options;
  resolve_clusters(points.rows(), effective);
  resolve_graph_options(points.rows(), effective);
  const ScaledPoints scaled(points, options.scale, run);
  if (options.n_landmarks) return clustered(mapped_by_landmarks(scaled, effective, run), nullptr, effective, run);
  AffinityFit affinity = make_affinity(scaled.view(), graph_options(effective), run);
  Model::Parts parts = mapped(affinity, effective, points.cols(), scaled.scaler(), run);
  return clustered(std::move(parts), &affinity.affinity, effective, run);
}

SpectralClustering spectral_clustering(const SparseMatrix& matrix, const SpectralClusteringOptions& options,
                                       const Run& run) {
  validate_options(options, kWho);
  SpectralClusteringOptions effective = options;
  resolve_clusters(matrix.rows, effective);
  resolve_sparse_options(matrix.rows, effective);
  AffinityFit affinity = make_affinity(matrix, graph_options(effective), run);
  Model::Parts parts = mapped(affinity, effective, matrix.rows, FeatureScaler(), run);
  return clustered(std::move(parts), &affinity.affinity, effective, run);
}

}  // namespace unroll
