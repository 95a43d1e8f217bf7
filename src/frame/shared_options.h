#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "affinity/neighborhoods.h"
#include "neighbors/landmarks.h"
#include "spectral/source.h"
#include "unroll/core/error.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

/// What several methods do alike with options of the same names.
namespace unroll {

template <class Options>
NeighborOptions neighbor_options(const Options& options) {
  return {.n_neighbors = options.n_neighbors,
          .radius = options.radius,
          .metric = options.metric,
          .p = options.p,
          .algorithm = options.neighbors_algorithm,
          .random_state = options.random_state};
}

template <class Options>
SpectralSettings spectral_settings(const Options& options) {
  SpectralSettings settings{.n_components = options.n_components,
                            .solver = any_solver(options.eigen_solver),
                            .seed = static_cast<std::uint64_t>(options.random_state)};
  if constexpr (requires { options.components; }) settings.separate = options.components == ComponentsPolicy::Separate;
  return settings;
}

/// Ten neighbours among n points, or as many as the method needs, unless the user says otherwise. All entries of a
/// sparse matrix are neighbours.
template <class Options>
void resolve_neighbors(Index n, bool is_sparse, Options& options, const MinNeighbors& least = {}) {
  const bool is_auto = !options.n_neighbors && !options.radius && !is_sparse;
  if (is_auto) options.n_neighbors = std::min(std::max<Index>(10, least.count), n - 1);
  if (!options.n_neighbors || *options.n_neighbors >= least.count) return;
  const bool needs_points = is_auto || least.count >= n;
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("n_neighbors={} must be at least {}{}", *options.n_neighbors, least.count, least.reason),
       .advice = needs_points ? "use more points, or a smaller n_components" : "use a larger n_neighbors",
       .option = "n_neighbors"});
}

/// Landmarks of a sparse matrix can be chosen at random only: the other choices compare distances that it may lack.
template <class Options>
void resolve_landmarks(const Input& input, const Options& options) {
  if (!options.n_landmarks) return;
  check_landmarks(*options.n_landmarks, options.n_components, input.size());
  if (input.is_sparse() && options.landmarks != LandmarkChoice::Random)
    throw Error(ErrorKind::Unsupported,
                fmt::format("landmarks={} needs all distances, but the matrix is sparse", name_of(options.landmarks)),
                "use landmarks=random");
}

template <class Options>
std::vector<Index> input_landmarks(const Input& input, const Options& options, const Run& run) {
  const auto seed = static_cast<std::uint64_t>(options.random_state);
  if (input.is_sparse()) return random_landmarks(input.size(), *options.n_landmarks, seed);
  return choose_landmarks(input.full(), *options.n_landmarks, options.landmarks,
                          {.metric = options.metric, .p = options.p}, seed, run);
}

}  // namespace unroll
