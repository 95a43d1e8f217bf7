#include "unroll/methods/ltsa.h"

#include "affinity/alignment_fits.h"
#include "spectral/local_model.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = LtsaOptions::method_name;
constexpr const Recipe& kRecipe = recipe(SpectralMethod::Ltsa);

/// The point itself is not in its patch: of d + 1 members any map is an affine function of d coordinates.
LocalNeed need_of(const LtsaOptions& options) {
  return {saturated(options.n_components) + 2,
          fmt::format(", n_components + 2 with n_components={}", options.n_components)};
}

/// Step 2: in the tangent space of every patch, with orthonormal coordinates U, the part of the map that is not affine:
/// (I - [1/sqrt(m), U] [1/sqrt(m), U]') Y.
LocalFits tangents(LocalData& data, Patches patches, const LtsaOptions& options, const Run& run) {
  PatchFaults faults(*data.geometry, patches.count(), options.n_components);
  const auto make = [&]() -> PatchFit {
    return [&data, &faults, d = options.n_components, axes = PatchAxes()](Index patch, std::span<const Index> members,
                                                                          std::vector<double>& factors) mutable {
      axes.about_mean(*data.geometry, members);
      faults.look_at(patch, axes);
      axes.find_axes(d);
      return append_tangent_fit(axes, factors);
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "tangent spaces", run);
  faults.report(data.hoods);
  return fits;
}

/// Step 3: the map that is nearest to an affine function of each.
Model embedded(LocalData data, const LtsaOptions& options, Index n_features, const FeatureScaler& scaler,
               const Run& run) {
  const LocalNeed need = need_of(options);
  check_neighborhoods(data.hoods.graph, need.neighbors, need.reason, kWho);
  LocalRequest request = local_request(options, kWho);
  Patches patches = tied_patches(data.hoods.graph, run);
  plan_fits(data, patches, 1 + options.n_components, request, run);
  const LocalFits fits = tangents(data, std::move(patches), options, run);
  return local_model(fit_local(kRecipe, fits, std::move(data), std::move(request), run), options, n_features, scaler);
}

}  // namespace

Model ltsa(PointsView points, const LtsaOptions& options, const Run& run) {
  return fit_local_points(points, options, need_of, embedded, run);
}

Model ltsa(const SparseMatrix& distances, const LtsaOptions& options, const Run& run) {
  return fit_local_distances(distances, options, need_of, embedded, run);
}

}  // namespace unroll
