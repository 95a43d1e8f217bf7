#include "unroll/methods/hlle.h"

#include <algorithm>

#include "affinity/alignment_fits.h"
#include "spectral/local_model.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = HlleOptions::method_name;
constexpr const Recipe& kRecipe = recipe(SpectralMethod::Hlle);

/// 1, d tangent coordinates and their d (d+1) / 2 products are fitted.
LocalNeed need_of(const HlleOptions& options) {
  const Index d = saturated(options.n_components);
  return {1 + d + d * (d + 1) / 2, fmt::format(", 1 + d + d (d+1) / 2 with d = n_components={}", options.n_components)};
}

/// Second derivatives tie a patch that bridges two others by d (d+1) / 2 equations, and d + 1 are needed: in one
/// dimension they leave a hinge wherever there is no second bridge.
bool charges_complement(const HlleOptions& options) {
  return options.estimator == HessianEstimator::Complement || options.n_components == 1;
}

/// Step 2: an orthonormal estimator H of the second derivatives in the tangent space of every patch.
LocalFits hessians(LocalData& data, Patches patches, const HlleOptions& options, const Run& run) {
  PatchFaults faults(*data.geometry, patches.count(), options.n_components);
  const auto make = [&]() -> PatchFit {
    return [&data, &faults, complement = charges_complement(options), d = options.n_components, axes = PatchAxes(),
            scratch = FitScratch()](Index patch, std::span<const Index> members, std::vector<double>& factors) mutable {
      axes.about_mean(*data.geometry, members);
      faults.look_at(patch, axes);
      axes.find_axes(d);
      if (complement) return append_tangent_fit(axes, factors);
      const Charge charge = append_hessian_fit(axes, d, scratch, factors);
      if (charge != Charge::Columns) faults.set_flat(patch);
      return charge;
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "Hessians", run);
  faults.report(data.hoods);
  return fits;
}

/// Step 3: the map of the smallest sum of |H' Y|^2.
Model embedded(LocalData data, const HlleOptions& options, Index n_features, const FeatureScaler& scaler,
               const Run& run) {
  const LocalNeed need = need_of(options);
  check_neighborhoods(data.hoods.graph, need.neighbors, need.reason, kWho);
  LocalRequest request = local_request(options, kWho);
  Patches patches = tied_patches(data.hoods.graph, run);
  const Index d = options.n_components;
  plan_fits(data, patches, std::max(1 + d, d * (d + 1) / 2), request, run);
  const LocalFits fits = hessians(data, std::move(patches), options, run);
  return local_model(fit_local(kRecipe, fits, std::move(data), std::move(request), run), options, n_features, scaler);
}

}  // namespace

Model hlle(PointsView points, const HlleOptions& options, const Run& run) {
  return fit_local_points(points, options, need_of, embedded, run);
}

Model hlle(const SparseMatrix& distances, const HlleOptions& options, const Run& run) {
  return fit_local_distances(distances, options, need_of, embedded, run);
}

}  // namespace unroll
