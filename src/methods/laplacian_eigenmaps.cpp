#include "unroll/methods/laplacian_eigenmaps.h"

#include "frame/frame.h"
#include "frame/graph_options.h"
#include "frame/map_by_landmarks.h"
#include "sources/graph_model.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const LaplacianEigenmapsOptions& options, const Run& run) {
  if (options.n_landmarks) return map_by_landmarks(input, options, run, map);
  // 1. W: the graph of neighbours, its edges weighed by heat.
  AffinityFit affinity = make_affinity(input, affinity_options(options), run);
  // 2. The table's row: the Laplacian of W, its smallest eigenpairs beside the constant.
  const Recipe& row = find_recipe(SpectralMethod::LaplacianEigenmaps, options.laplacian);
  return fit_graph(row, std::move(affinity), spectral_settings(options), options.independent, run);
}

}  // namespace

Model laplacian_eigenmaps(const Input& input, const LaplacianEigenmapsOptions& options, const Run& run) {
  return run_method<LaplacianEigenmapsOptions>({.resolve = resolve_graph_options, .map = map}, input, options, run);
}

}  // namespace unroll
