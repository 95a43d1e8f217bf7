#include "unroll/methods/diffusion_maps.h"

#include "frame/frame.h"
#include "frame/graph_options.h"
#include "frame/map_by_landmarks.h"
#include "sources/graph_model.h"

namespace unroll {
namespace {

constexpr const Recipe& kDiffusionRow = recipe(SpectralMethod::DiffusionMaps);

MethodFit map(const Input& input, const DiffusionMapsOptions& options, const Run& run) {
  if (options.n_landmarks) return map_by_landmarks(input, options, run, map);
  // 1. W: a kernel, 1 for a point and itself, of neighbours or of all pairs.
  AffinityOptions kernel = affinity_options(options);
  kernel.unit_diagonal = true;
  AffinityFit affinity = make_affinity(input, kernel, run);
  // 2. The table's row: W over the density to the power alpha, the walk D^-1 W, its largest eigenpairs times lambda^t.
  SpectralSettings settings = spectral_settings(options);
  settings.alpha = options.alpha;
  settings.time = options.t;
  return fit_graph(kDiffusionRow, std::move(affinity), settings, options.independent, run);
}

}  // namespace

Model diffusion_maps(const Input& input, const DiffusionMapsOptions& options, const Run& run) {
  return run_method<DiffusionMapsOptions>({.resolve = resolve_graph_options, .map = map}, input, options, run);
}

}  // namespace unroll
