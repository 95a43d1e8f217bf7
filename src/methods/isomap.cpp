#include "unroll/methods/isomap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "affinity/geodesic_rows.h"
#include "core/memory.h"
#include "core/told_by.h"
#include "data/column_statistics.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "neighbors/components_policy.h"
#include "neighbors/entry_rule.h"
#include "neighbors/geodesics.h"
#include "neighbors/landmarks.h"
#include "spectral/landmark_embedding.h"
#include "spectral/path_source.h"
#include "spectral/residual_variance.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr const Recipe& kRecipe = recipe(SpectralMethod::Isomap);

/// Path lengths of more points are kept in float: half of the memory, three quarters of the time, and coordinates that
/// move by 1e-6 of the extent. Of a Swiss roll with k = 10, on 2 cores:
///
///     points   double           float            largest move
///      2 000   0.17 s   45 MB   0.15 s   30 MB   3e-5 of 47
///      5 000   0.60 s  212 MB   0.46 s  116 MB   4e-5 of 47
///     10 000   2.04 s  795 MB   1.52 s  413 MB   6e-5 of 46
///
/// Not from fewer points on, though, where double has room: lengths are added up in float, too, and over hundreds of
/// edges their rounding bends what is straight. A line of 5 000 points has one dimension in double; in float the second
/// eigenvalue is 9e-6 of the first, a coordinate of 0.3 % of the extent, and two dimensions are suggested.
constexpr Index kMostDouble = 10'000;

void check(Index n, const IsomapOptions& options) {
  if (options.n_neighbors && *options.n_neighbors >= n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("isomap: n_neighbors={} must be less than the number of points, {}; use a smaller "
                            "n_neighbors",
                            *options.n_neighbors, n));
  if (options.n_components >= n)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("isomap: n_components={} must be less than the number of points, {}; use a smaller "
                            "n_components",
                            options.n_components, n));
  if (options.components == ComponentsPolicy::Keep)
    throw Error(ErrorKind::InvalidOption,
                "isomap: components=keep is not possible, since paths between components have no length; use connect, "
                "separate or error");
  if (options.n_landmarks) check_landmarks("isomap", *options.n_landmarks, options.n_components, n);
  if (options.n_landmarks && options.path_method == PathMethod::FloydWarshall)
    throw Error(ErrorKind::InvalidOption,
                "isomap: path_method=floyd_warshall finds all paths; use dijkstra with n_landmarks");
}

/// Before any neighbour is looked for: the path lengths are what decides.
void plan_paths(Index n, const IsomapOptions& options, const Run& run) {
  const auto points = static_cast<double>(n);
  const double rows = options.n_landmarks ? static_cast<double>(*options.n_landmarks) : points;
  MemoryPlan plan;
  plan.add("the lengths of paths", rows, points, n > kMostDouble ? sizeof(float) : sizeof(double));
  plan.require(run, "isomap",
               options.n_landmarks ? fmt::format("use fewer than n_landmarks={}", *options.n_landmarks)
                                   : "use n_landmarks=1000, or fewer of them");
}

/// Step 1: the graph.
struct Neighborhood {
  NeighborOptions options = {};
  Neighbors found = {};
  PolicedGraph graph = {};
  double scale = 1;  ///< takes the longest edge to at most 1
};

Neighborhood joined_up(Neighborhood hood, std::optional<PointsView> points, const IsomapOptions& options,
                       const Run& run) {
  hood.graph =
      apply_policy({.components = options.components}, symmetrized(hood.found.graph, Symmetrization::Union, run),
                   hood.found.graph, points, hood.options, "isomap", run);
  double longest = 0;
  for (const double distance : hood.graph.graph.distances) longest = std::max(longest, distance);
  if (!std::isfinite(longest))
    throw Error(ErrorKind::InvalidData,
                "isomap: distances pass the largest double, 1.8e308; divide the data by 1024 or more");
  hood.scale = power_of_two_scale(longest);
  hood.graph.graph = scaled_graph(std::move(hood.graph.graph), hood.scale);
  return hood;
}

NeighborOptions neighbor_options(const IsomapOptions& options) {
  return {.n_neighbors = options.n_neighbors,
          .radius = options.radius,
          .metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state};
}

SpectralSettings settings_of(const IsomapOptions& options, double unit) {
  return {.who = "isomap",
          .n_components = options.n_components,
          .solver = any_solver(options.eigen_solver),
          .seed = static_cast<std::uint64_t>(options.random_state),
          .unit = unit,
          .separate = true};
}

/// What a fit adds up to, whichever way it went.
struct Fit {
  Embedding embedding = {};
  Placing placing = {};
  std::vector<double> residual_variance = {};
  std::variant<Array2<double>, Array2<float>> from_landmarks = {};
};

/// Steps 2 and 3: the lengths of all shortest paths, and the table's row.
Fit by_all_paths(const Neighborhood& hood, bool is_single, const IsomapOptions& options, const Run& run) {
  const SpectralSettings settings = settings_of(options, hood.scale);
  const PathSource paths(hood.graph.graph, hood.graph.components, is_single,
                         options.path_method == PathMethod::FloydWarshall);
  SpectralFit map = embed(kRecipe, paths, settings, run);
  Fit fit{.placing = std::move(map.placing)};
  fit.residual_variance = paths.residual_variance(map.coordinates, settings.seed, run);
  fit.embedding = embedding_of(std::move(map));
  return fit;
}

/// The same from landmarks.
template <class T>
Fit by_landmarks(const Neighborhood& hood, const std::vector<Index>& landmarks, const IsomapOptions& options,
                 const Run& run) {
  Array2<T> lengths = geodesic_distances<T>(hood.graph.graph, landmarks, run);
  const SpectralSettings settings = settings_of(options, hood.scale);
  LandmarkFit map = embed_by_landmarks(kRecipe, lengths, 1, landmarks, settings, run);
  Fit fit{.placing = std::move(map.fit.placing)};
  fit.residual_variance = residual_variance(lengths.view(), landmarks, map.fit.coordinates, settings.seed, run);
  fit.embedding = embedding_of(std::move(map.fit));
  report_landmarks(landmarks, map.error, fit.embedding);
  fit.from_landmarks = std::move(lengths);
  return fit;
}

Fit fit_of(const Neighborhood& hood, const std::vector<Index>& landmarks, bool is_single, const IsomapOptions& options,
           const Run& run) {
  if (landmarks.empty()) return by_all_paths(hood, is_single, options, run);
  return is_single ? by_landmarks<float>(hood, landmarks, options, run)
                   : by_landmarks<double>(hood, landmarks, options, run);
}

void describe(Fit& fit, const Neighborhood& hood, bool is_single) {
  Embedding& embedding = fit.embedding;
  auto add = [&](std::string name, Diagnostic value) {
    embedding.diagnostics.emplace_back(std::move(name), std::move(value));
  };
  if (const auto dimension = elbow(fit.residual_variance)) add("suggested_components", std::int64_t{*dimension});
  add("residual_variance", std::move(fit.residual_variance));
  add("graph_edges", std::int64_t{hood.graph.graph.edges() / 2});
  add("components", std::int64_t{hood.graph.components.count()});
  add("joining_edges", std::int64_t{std::ssize(hood.graph.joining)});
  add("neighbors_algorithm", std::string(name_of(hood.found.report.algorithm)));
  add("recall", hood.found.report.recall);
  add("precision", std::string(is_single ? "float32" : "float64"));
  const auto append = [&](const std::vector<Warning>& more) {
    embedding.warnings.insert(embedding.warnings.begin(), more.begin(), more.end());
  };
  append(hood.graph.warnings);
  append(hood.found.report.warnings);
}

/// `points` are none where a sparse matrix of distances is all there is.
Model fit_model(Neighborhood hood, std::optional<PointsView> points, const std::vector<Index>& landmarks,
                const IsomapOptions& options, const FeatureScaler& scaler, Index n_features, const Run& run) {
  if (!landmarks.empty() && hood.graph.components.count() > 1)
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("isomap: {} components cannot be kept apart with landmarks; use components=connect, or leave "
                    "out n_landmarks",
                    hood.graph.components.count()));
  const bool is_single = hood.graph.graph.size() > kMostDouble;
  if (is_single && options.path_method == PathMethod::FloydWarshall)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("isomap: path_method=floyd_warshall is for up to {} points; use dijkstra", kMostDouble));
  Fit fit = fit_of(hood, landmarks, is_single, options, run);
  describe(fit, hood, is_single);
  const bool has_points = points && options.metric != Metric::Precomputed;
  auto rows =
      std::make_shared<const GeodesicRows>(GeodesicRows::Parts{.points = has_points ? copied(*points) : OwnPoints{},
                                                               .nearest = std::move(hood.found.graph),
                                                               .options = hood.options,
                                                               .joining = std::move(hood.graph.joining),
                                                               .scale = hood.scale,
                                                               .is_single = is_single,
                                                               .from_landmarks = std::move(fit.from_landmarks),
                                                               .components = fit.placing.components});
  auto transformer = std::make_shared<const SpectralTransformer>(
      landmarks.empty() ? TransformKind::Exact : TransformKind::Nystrom, std::move(rows), std::move(fit.placing));
  return Model({.method = "isomap",
                .options = option_values(options),
                .n_features = n_features,
                .embedding = std::move(fit.embedding),
                .transformer = with_scaling(scaler, std::move(transformer))});
}

}  // namespace

Model isomap(PointsView points, const IsomapOptions& options, const Run& run) {
  validate_options(options, "isomap");
  check_points("isomap", points, 2, run);
  check(points.rows(), options);
  if (options.metric == Metric::Precomputed && options.scale != Scaling::None)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("isomap: scale={} is for features, but the input is distances; use scale=none",
                            name_of(options.scale)));
  if (options.metric == Metric::Precomputed) check_square("isomap", points);
  plan_paths(points.rows(), options, run);
  const ScaledPoints scaled(points, options.scale, run);
  IsomapOptions effective = options;
  if (!options.n_neighbors && !options.radius) effective.n_neighbors = std::min<Index>(10, points.rows() - 1);
  if (options.path_method == PathMethod::Auto) effective.path_method = PathMethod::Dijkstra;

  Neighborhood hood{.options = neighbor_options(effective)};
  hood.found = told_by("isomap", [&] { return neighbors(scaled.view(), hood.options, run); });
  hood = joined_up(std::move(hood), scaled.view(), effective, run);
  std::vector<Index> landmarks;
  if (options.n_landmarks)
    landmarks = choose_landmarks(scaled.view(), *options.n_landmarks, options.landmarks, hood.options,
                                 static_cast<std::uint64_t>(options.random_state), run);
  return fit_model(std::move(hood), scaled.view(), landmarks, effective, scaled.scaler(), points.cols(), run);
}

Model isomap(const SparseMatrix& distances, const IsomapOptions& options, const Run& run) {
  validate_options(options, "isomap");
  check(distances.rows, options);
  IsomapOptions effective = options;
  effective.metric = Metric::Precomputed;
  if (options.path_method == PathMethod::Auto) effective.path_method = PathMethod::Dijkstra;
  if (options.scale != Scaling::None)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("isomap: scale={} is for features, but the input is distances; use scale=none",
                            name_of(options.scale)));
  if (options.n_landmarks && options.landmarks != LandmarkChoice::Random)
    throw Error(ErrorKind::Unsupported,
                fmt::format("isomap: landmarks={} needs all distances, but the matrix is sparse; use landmarks=random",
                            name_of(options.landmarks)));
  plan_paths(distances.rows, options, run);
  Neighborhood hood{.options = neighbor_options(effective)};
  // All entries are the graph, unless fewer are asked for.
  if (!options.n_neighbors && !options.radius) hood.options = all_entries(hood.options);
  hood.found = told_by("isomap", [&] { return neighbors(distances, hood.options, run); });
  hood = joined_up(std::move(hood), std::nullopt, effective, run);
  std::vector<Index> landmarks;
  if (options.n_landmarks)
    landmarks =
        random_landmarks(distances.rows, *options.n_landmarks, static_cast<std::uint64_t>(options.random_state));
  return fit_model(std::move(hood), std::nullopt, landmarks, effective, FeatureScaler(), distances.rows, run);
}

}  // namespace unroll
