#include "unroll/methods/lle.h"

#include <atomic>

#include "frame/frame.h"
#include "frame/local_options.h"

namespace unroll {
namespace {

constexpr const Recipe& kLleRow = recipe(SpectralMethod::Lle);

WeightsOptions weights_options(const LleOptions& options) {
  return {.reg = options.reg, .nonnegative = options.nonnegative};
}

/// The weights that write x_i by its neighbours, sum over j of w_ij = 1. The fit of a patch, of the point and
/// its neighbours, is e_i - w_i: M = (I - W)' (I - W).
LocalFits reconstructions(LocalData& data, Patches patches, const LleOptions& options, const Run& run) {
  std::atomic<Index> corrected = 0;
  const auto make = [&]() -> PatchFit {
    return [&data, &corrected, settings = weights_options(options), gram = Array2<double>(),
            weights = std::vector<double>(), geometry = GeometryScratch(),
            solver = WeightsScratch()](Index i, std::span<const Index> members, std::vector<double>& factors) mutable {
      const auto neighbors = members.subspan(1);
      if (neighbors.empty()) return PatchForm::Columns;
      weights.resize(neighbors.size());
      data.geometry->gram_about(i, neighbors, gram, geometry);
      const WeightsOutcome outcome = solve_any_weights(gram, settings, weights, solver);
      if (outcome == WeightsOutcome::Corrected) ++corrected;
      if (outcome == WeightsOutcome::Singular)
        throw Error(
            ErrorKind::InvalidData,
            fmt::format(
                "the weights of point {} are not determined with reg={:g}: its {} neighbors lie in fewer dimensions",
                i + 1, settings.reg, neighbors.size()),
            "use reg=1e-3, or fewer neighbors than dimensions");
      factors.push_back(1);
      for (const double weight : weights) factors.push_back(-weight);
      return PatchForm::Columns;
    };
  };
  LocalFits fits = fit_patches(std::move(patches), make, "reconstruction weights", run);
  if (corrected > 0)
    data.neighborhoods.warnings.push_back(
        {"not-euclidean",
         fmt::format("the distances around {} points are those of no points in a space: their inner products have a "
                     "negative part, which was left out",
                     corrected.load()),
         "use a larger reg, or distances between points in a space"});
  return fits;
}

void resolve(const Input& input, LleOptions& options) { resolve_local_options(input, options, {}); }

MethodFit map(const Input& input, const LleOptions& options, const Run& run) {
  // 1. The neighbours of every point.
  LocalData data = local_data(input, neighborhood_options(options), run);
  LocalRequest request = local_request(options);
  Patches patches = patches_of(data.neighborhoods.graph, true);
  plan_fits(data, patches, 1, request, run);
  // 2. The weights that write every point by its neighbours.
  const LocalFits fits = reconstructions(data, std::move(patches), options, run);
  request.of_weights = true;
  request.weights = weights_options(options);
  // 3. The table's row: the map that these weights reconstruct best.
  return fit_local(kLleRow, fits, std::move(data), request, run);
}

}  // namespace

Model lle(const Input& input, const LleOptions& options, const Run& run) {
  return run_method<LleOptions>({.resolve = resolve, .map = map}, input, options, run);
}

}  // namespace unroll
