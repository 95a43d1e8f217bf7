#include "unroll/methods/mlle.h"

#include <algorithm>

#include "affinity/alignment_fits.h"
#include "affinity/patch_diagnostics.h"
#include "core/parallel.h"
#include "frame/frame.h"
#include "frame/local_options.h"

namespace unroll {
namespace {

constexpr const Recipe& kMlleRow = recipe(SpectralMethod::Mlle);
/// Of the weights of new points: next to none, as in training, but their neighbours may be dependent.
constexpr double kNewPointsReg = 1e-6;

MinNeighbors min_neighbors(const MlleOptions& options) {
  return {MlleOptions::min_neighbors(saturated(options.n_components)),
          fmt::format(" for n_components={}", options.n_components)};
}

/// The median over all points of the neighbours' variance beyond n_components, as a share of that within.
double median_ratio(const LocalData& data, const Patches& patches, Index d, const Run& run) {
  constexpr Index kGrain = 256;
  std::vector<double> ratios(static_cast<std::size_t>(patches.count()));
  parallel_for(run, patches.count(), kGrain, [&](Index begin, Index end) {
    PatchAxes axes;
    for (Index i = begin; i < end; ++i) {
      axes.values_about_first(*data.geometry, patches.members_of(i));
      ratios[static_cast<std::size_t>(i)] = residual_ratio(axes, d).value_or(0);
    }
  });
  const auto middle = ratios.begin() + std::ssize(ratios) / 2;
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

/// All weight vectors that write a point by its neighbours about as well as possible. Directions in which the
/// neighbours spread no more than is usual beyond n_components, by eta, are not to be written.
LocalFits weight_spaces(LocalData& data, Patches patches, double eta, Index d, const Run& run) {
  PatchDiagnostics diagnostics(*data.geometry, patches.count(), d);
  const auto make = [&]() -> PatchFit {
    return [&data, &diagnostics, eta, d, axes = PatchAxes(), scratch = FitScratch()](
               Index patch, std::span<const Index> members, std::vector<double>& factors) mutable {
      axes.about_first(*data.geometry, members);
      diagnostics.look_at(patch, axes);
      axes.find_axes(signal_axes(axes, d, eta));
      return append_modified_fit(axes, scratch, factors);
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "weight vectors", run);
  diagnostics.report(data.neighborhoods);
  return fits;
}

/// Three, and the signal axes, of which there are no more than features, nor than neighbours.
Index most_columns(const LocalData& data) {
  return 3 + (data.geometry->has_coordinates() ? data.geometry->features() : data.neighborhoods.graph.size());
}

void resolve(const Input& input, MlleOptions& options) {
  resolve_local_options(input, options, min_neighbors(options));
}

MethodFit map(const Input& input, const MlleOptions& options, const Run& run) {
  // 1. The neighbours of every point.
  LocalData data = local_data(input, neighborhood_options(options), run);
  check_neighborhoods(data.neighborhoods.graph, min_neighbors(options));
  LocalRequest request = local_request(options);
  request.weights.reg = kNewPointsReg;
  Patches patches = patches_of(data.neighborhoods.graph, true);
  plan_fits(data, patches, most_columns(data), request, run);
  // 2. All weight vectors that write every point by its neighbours about as well as possible.
  const double eta = median_ratio(data, patches, options.n_components, run);
  const LocalFits fits = weight_spaces(data, std::move(patches), eta, options.n_components, run);
  // 3. The table's row: the map that all these weights reconstruct best.
  MethodFit fit = fit_local(kMlleRow, fits, std::move(data), request, run);
  fit.embedding.attributes.emplace_back("eta", eta);
  return fit;
}

}  // namespace

Model mlle(const Input& input, const MlleOptions& options, const Run& run) {
  return run_method<MlleOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
