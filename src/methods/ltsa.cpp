#include "unroll/methods/ltsa.h"

#include "affinity/alignment_fits.h"
#include "affinity/patch_diagnostics.h"
#include "frame/frame.h"
#include "frame/local_options.h"

namespace unroll {
namespace {

constexpr const Recipe& kLtsaRow = recipe(SpectralMethod::Ltsa);

MinNeighbors min_neighbors(const LtsaOptions& options) {
  return {LtsaOptions::min_neighbors(saturated(options.n_components)),
          fmt::format(" for n_components={}", options.n_components)};
}

/// In the tangent space of every patch, with orthonormal coordinates U, the part of the map that is not affine:
/// (I - [1/sqrt(m), U] [1/sqrt(m), U]') Y.
LocalFits tangents(LocalData& data, Patches patches, const LtsaOptions& options, const Run& run) {
  PatchDiagnostics diagnostics(*data.geometry, patches.count(), options.n_components);
  const auto make = [&]() -> PatchFit {
    return [&data, &diagnostics, d = options.n_components, axes = PatchAxes()](
               Index patch, std::span<const Index> members, std::vector<double>& factors) mutable {
      axes.about_mean(*data.geometry, members);
      diagnostics.look_at(patch, axes);
      axes.find_axes(d);
      return append_tangent_fit(axes, factors);
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "tangent spaces", run);
  diagnostics.report(data.neighborhoods);
  return fits;
}

void resolve(const Input& input, LtsaOptions& options) {
  resolve_local_options(input, options, min_neighbors(options));
}

MethodFit map(const Input& input, const LtsaOptions& options, const Run& run) {
  // 1. The neighbours of every point.
  LocalData data = local_data(input, neighborhood_options(options), run);
  check_neighborhoods(data.neighborhoods.graph, min_neighbors(options));
  LocalRequest request = local_request(options);
  Patches patches = tied_patches(data.neighborhoods.graph, run);
  plan_fits(data, patches, 1 + options.n_components, request, run);
  // 2. The part of a map that is not affine in the tangent space of every patch.
  const LocalFits fits = tangents(data, std::move(patches), options, run);
  // 3. The table's row: the map that is nearest to an affine function of each.
  return fit_local(kLtsaRow, fits, std::move(data), request, run);
}

}  // namespace

Model ltsa(const Input& input, const LtsaOptions& options, const Run& run) {
  return run_method<LtsaOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
