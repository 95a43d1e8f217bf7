#include "unroll/methods/lle.h"

#include <atomic>

#include "spectral/local_model.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = LleOptions::method_name;
constexpr const Recipe& kRecipe = recipe(SpectralMethod::Lle);

/// Any number of neighbours will do.
LocalNeed need_of(const LleOptions&) { return {}; }

WeightsOptions weights_options(const LleOptions& options) {
  return {.reg = options.reg, .nonnegative = options.nonnegative};
}

/// Step 2: the weights that write x_i by its neighbours, sum over j of w_ij = 1. The fit of a patch, of the point and
/// its neighbours, is e_i - w_i: M = (I - W)' (I - W).
LocalFits reconstructions(LocalData& data, Patches patches, const LleOptions& options, const Run& run) {
  std::atomic<Index> corrected = 0;
  const auto make = [&]() -> PatchFit {
    return [&data, &corrected, settings = weights_options(options), gram = Array2<double>(),
            weights = std::vector<double>(), geometry = GeometryScratch(),
            solver = WeightsScratch()](Index i, std::span<const Index> members, std::vector<double>& factors) mutable {
      const auto neighbors = members.subspan(1);
      if (neighbors.empty()) return Charge::Columns;
      weights.resize(neighbors.size());
      data.geometry->gram_about(i, neighbors, gram, geometry);
      const WeightsOutcome outcome = solve_any_weights(gram, settings, weights, solver);
      if (outcome == WeightsOutcome::Corrected) ++corrected;
      if (outcome == WeightsOutcome::Singular)
        throw Error(
            ErrorKind::InvalidData,
            fmt::format("lle: the weights of point {} are not determined with reg={:g}: its {} neighbors lie in "
                        "fewer dimensions; use reg=1e-3, or fewer neighbors than dimensions",
                        i + 1, settings.reg, neighbors.size()));
      factors.push_back(1);
      for (const double weight : weights) factors.push_back(-weight);
      return Charge::Columns;
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "reconstruction weights", run);
  if (corrected > 0)
    data.hoods.warnings.push_back(
        {"not-euclidean",
         fmt::format("the distances around {} points are those of no points in a space: their inner products have a "
                     "negative part, which was left out",
                     corrected.load()),
         "use a larger reg, or distances between points in a space"});
  return fits;
}

/// Step 3: the map that these weights reconstruct best.
Model embedded(LocalData data, const LleOptions& options, Index n_features, const FeatureScaler& scaler,
               const Run& run) {
  LocalRequest request = local_request(options, kWho);
  Patches patches = patches_of(data.hoods.graph, true);
  plan_fits(data, patches, 1, request, run);
  const LocalFits fits = reconstructions(data, std::move(patches), options, run);
  request.of_weights = true;
  request.weights = weights_options(options);
  return local_model(fit_local(kRecipe, fits, std::move(data), std::move(request), run), options, n_features, scaler);
}

}  // namespace

Model lle(PointsView points, const LleOptions& options, const Run& run) {
  return fit_local_points(points, options, need_of, embedded, run);
}

Model lle(const SparseMatrix& distances, const LleOptions& options, const Run& run) {
  return fit_local_distances(distances, options, need_of, embedded, run);
}

}  // namespace unroll
