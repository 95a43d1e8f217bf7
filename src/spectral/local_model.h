#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "affinity/fits_plan.h"
#include "affinity/local_geometry.h"
#include "affinity/neighborhoods.h"
#include "affinity/patch_faults.h"
#include "affinity/reconstruction_weights.h"
#include "core/transformer.h"
#include "data/feature_scaler.h"
#include "data/validate.h"
#include "neighbors/landmarks.h"
#include "spectral/patch_source.h"
#include "spectral/transformer.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/landmark_choice.h"

/// What LLE, modified LLE, Hessian LLE and LTSA do alike with options of the same names.
namespace unroll {

/// What local fits are made of.
struct LocalData {
  std::optional<PointsView> points = {};    ///< scaled, or the full matrix of distances
  const SparseMatrix* distances = nullptr;  ///< where these are all there is
  Neighborhoods hoods = {};
  std::unique_ptr<const LocalGeometry> geometry = {};
};

struct LocalRequest {
  SpectralSettings settings = {};
  PatchSettings patches = {};
  LandmarkChoice landmarks = LandmarkChoice::MaxMin;
  bool of_weights = false;      ///< the fits are reconstruction weights, not an alignment
  WeightsOptions weights = {};  ///< of new points
};

struct LocalFit {
  Embedding embedding = {};
  std::shared_ptr<const Transformer> transformer = {};
};

/// Before the fits: whether they have room. No patch has more than `columns` of them.
void plan_fits(const LocalData& data, const Patches& patches, Index columns, const LocalRequest& request,
               const Run& run);

/// Runs the row on the fits of these data.
LocalFit fit_local(const Recipe& row, const LocalFits& fits, LocalData data, LocalRequest request, const Run& run);

template <class Options>
NeighborhoodOptions neighborhood_options(const Options& options, std::string_view who) {
  return {.who = who,
          .neighbors = {.n_neighbors = options.n_neighbors,
                        .radius = options.radius,
                        .metric = options.metric,
                        .p = options.p,
                        .algorithm = options.neighbors_algorithm,
                        .random_state = options.random_state},
          .components = options.components};
}

template <class Options>
LocalRequest local_request(const Options& options, std::string_view who) {
  return {.settings = {.who = who,
                       .n_components = options.n_components,
                       .solver = options.eigen_solver,
                       .seed = static_cast<std::uint64_t>(options.random_state),
                       .separate = options.components == ComponentsPolicy::Separate},
          .patches = {.max_factor_gib = options.max_factor_gib, .n_landmarks = options.n_landmarks},
          .landmarks = options.landmarks};
}

/// How many neighbours a method cannot do without, and why, as an error goes on to tell.
struct LocalNeed {
  Index neighbors = 1;
  std::string reason = {};
};

/// "Choose for me" replaced by the choice, and what does not go together refused. `features` are 0 where the input is
/// distances. Of a sparse matrix, all entries are neighbours unless fewer are asked for.
template <class Options>
void resolve_local_options(Index n, Index features, const LocalNeed& need, Options& options, std::string_view who,
                           bool is_sparse = false) {
  const Index fewest = need.neighbors;
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorKind::InvalidOption, fmt::format("{}: {}", who, message));
  };
  if (options.metric == Metric::Precomputed && options.scale != Scaling::None)
    fail(fmt::format("scale={} is for features, but the input is distances; use scale=none", name_of(options.scale)));
  if (options.n_neighbors && *options.n_neighbors >= n)
    fail(fmt::format("n_neighbors={} must be less than the number of points, {}; use a smaller n_neighbors",
                     *options.n_neighbors, n));
  const bool has_features = options.metric != Metric::Precomputed;
  if (has_features && options.n_components > features)
    fail(
        fmt::format("n_components={} must be less than or equal to the number of features, {}; use a smaller "
                    "n_components",
                    options.n_components, features));
  if (options.n_landmarks) check_landmarks(who, *options.n_landmarks, options.n_components, n);
  const bool is_auto = !options.n_neighbors && !options.radius && !is_sparse;
  if (is_auto) options.n_neighbors = std::min(std::max<Index>(10, fewest), n - 1);
  if (options.n_neighbors && *options.n_neighbors < fewest)
    fail(fmt::format("n_neighbors={} must be at least {}{}; use {}", *options.n_neighbors, fewest, need.reason,
                     is_auto || fewest >= n ? "more points, or a smaller n_components" : "a larger n_neighbors"));
}

/// The neighbourhoods of points, or of a full matrix of distances.
template <class Options>
LocalData local_data(PointsView points, const Options& options, std::string_view who, const Run& run) {
  LocalData data{.points = points};
  data.hoods = find_neighborhoods(points, neighborhood_options(options, who), run);
  data.geometry = std::make_unique<const LocalGeometry>(points, data.hoods.search, run);
  return data;
}

/// The same for a sparse matrix of distances, whose landmarks' distances are not all known.
template <class Options>
LocalData local_data(const SparseMatrix& distances, const Options& options, std::string_view who, const Run& run) {
  if (options.n_landmarks)
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: n_landmarks needs all distances, but the matrix is sparse; leave it out", who));
  LocalData data{.distances = &distances};
  data.hoods = find_neighborhoods(distances, neighborhood_options(options, who), run);
  data.geometry = std::make_unique<const LocalGeometry>(who, distances);
  return data;
}

template <class Options>
Model local_model(LocalFit fit, const Options& options, Index n_features, const FeatureScaler& scaler) {
  return Model({.method = std::string(Options::method_name),
                .options = option_values(options),
                .n_features = n_features,
                .embedding = std::move(fit.embedding),
                .transformer = with_scaling(scaler, std::move(fit.transformer))});
}

/// The way in of points, or of a full matrix of distances: what a method needs by its options, and its map of data.
template <class Options>
Model fit_local_points(PointsView points, const Options& options, LocalNeed (*need_of)(const Options&),
                       Model (*map_of)(LocalData, const Options&, Index, const FeatureScaler&, const Run&),
                       const Run& run) {
  constexpr std::string_view who = Options::method_name;
  validate_options(options, who);
  check_points(who, points, 2, run);
  if (options.metric == Metric::Precomputed) check_square(who, points);
  Options effective = options;
  resolve_local_options(points.rows(), points.cols(), need_of(options), effective, who);
  const ScaledPoints scaled(points, options.scale, run);
  return map_of(local_data(scaled.view(), effective, who, run), effective, points.cols(), scaled.scaler(), run);
}

/// That of a sparse matrix of distances.
template <class Options>
Model fit_local_distances(const SparseMatrix& distances, const Options& options, LocalNeed (*need_of)(const Options&),
                          Model (*map_of)(LocalData, const Options&, Index, const FeatureScaler&, const Run&),
                          const Run& run) {
  constexpr std::string_view who = Options::method_name;
  validate_options(options, who);
  Options effective = options;
  effective.metric = Metric::Precomputed;
  resolve_local_options(distances.rows, 0, need_of(options), effective, who, true);
  return map_of(local_data(distances, effective, who, run), effective, distances.rows, FeatureScaler(), run);
}

}  // namespace unroll
