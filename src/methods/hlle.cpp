#include "unroll/methods/hlle.h"

#include <algorithm>

#include "affinity/alignment_fits.h"
#include "affinity/patch_diagnostics.h"
#include "frame/frame.h"
#include "frame/local_options.h"

namespace unroll {
namespace {

constexpr const Recipe& kHlleRow = recipe(SpectralMethod::Hlle);

MinNeighbors min_neighbors(const HlleOptions& options) {
  return {HlleOptions::min_neighbors(saturated(options.n_components)),
          fmt::format(" for n_components={}", options.n_components)};
}

/// Second derivatives tie a patch that bridges two others by d (d+1) / 2 equations, and d + 1 are needed: in one
/// dimension they leave a hinge wherever there is no second bridge.
bool uses_complement(const HlleOptions& options) {
  return options.estimator == HessianEstimator::Complement || options.n_components == 1;
}

/// An orthonormal estimator H of the second derivatives in the tangent space of every patch.
LocalFits hessians(LocalData& data, Patches patches, const HlleOptions& options, const Run& run) {
  PatchDiagnostics diagnostics(*data.geometry, patches.count(), options.n_components);
  const auto make = [&]() -> PatchFit {
    return [&data, &diagnostics, complement = uses_complement(options), d = options.n_components, axes = PatchAxes(),
            scratch = FitScratch()](Index patch, std::span<const Index> members, std::vector<double>& factors) mutable {
      axes.about_mean(*data.geometry, members);
      diagnostics.look_at(patch, axes);
      axes.find_axes(d);
      if (complement) return append_tangent_fit(axes, factors);
      const PatchForm form = append_hessian_fit(axes, d, scratch, factors);
      if (form != PatchForm::Columns) diagnostics.set_flat(patch);
      return form;
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "Hessians", run);
  diagnostics.report(data.neighborhoods);
  return fits;
}

void resolve(const Input& input, HlleOptions& options) {
  resolve_local_options(input, options, min_neighbors(options));
}

MethodFit map(const Input& input, const HlleOptions& options, const Run& run) {
  // 1. The neighbours of every point.
  LocalData data = local_data(input, neighborhood_options(options), run);
  check_neighborhoods(data.neighborhoods.graph, min_neighbors(options));
  LocalRequest request = local_request(options);
  Patches patches = tied_patches(data.neighborhoods.graph, run);
  const Index d = options.n_components;
  plan_fits(data, patches, std::max(1 + d, d * (d + 1) / 2), request, run);
  // 2. An estimator H of second derivatives in the tangent space of every patch.
  const LocalFits fits = hessians(data, std::move(patches), options, run);
  // 3. The table's row: the map of the smallest sum of |H' Y|^2.
  return fit_local(kHlleRow, fits, std::move(data), request, run);
}

}  // namespace

Model hlle(const Input& input, const HlleOptions& options, const Run& run) {
  return run_method<HlleOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
