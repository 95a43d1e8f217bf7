#pragma once
#include "affinity/neighborhoods.h"
#include "frame/shared_options.h"
#include "sources/local_model.h"

/// What LLE, modified LLE, Hessian LLE and LTSA do alike with options of the same names.
namespace unroll {

template <class Options>
NeighborhoodOptions neighborhood_options(const Options& options) {
  return {.neighbors = neighbor_options(options), .components = options.components};
}

template <class Options>
LocalRequest local_request(const Options& options) {
  return {.settings = spectral_settings(options),
          .patches = {.max_factor_gib = options.max_factor_gib, .n_landmarks = options.n_landmarks},
          .landmarks = options.landmarks,
          .independent = options.independent};
}

/// "Choose for me" replaced by the choice, and what does not go together refused.
template <class Options>
void resolve_local_options(const Input& input, Options& options, const MinNeighbors& least) {
  if (input.has_points() && options.n_components > input.columns())
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("n_components={} must be less than or equal to the number of features, {}",
                                        options.n_components, input.columns()),
                 .advice = "use a smaller n_components",
                 .option = "n_components"});
  if (options.n_landmarks && input.is_sparse())
    throw Error(ErrorKind::Unsupported, "n_landmarks needs all distances, but the matrix is sparse", "leave it out");
  resolve_landmarks(input, options);
  resolve_neighbors(input.size(), input.is_sparse(), options, least);
}

}  // namespace unroll
