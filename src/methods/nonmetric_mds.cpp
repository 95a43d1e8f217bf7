#include "unroll/methods/nonmetric_mds.h"

#include <cmath>

#include "frame/frame.h"
#include "frame/stress_map.h"
#include "layout/nonmetric_stress.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const NonmetricMdsOptions& options, const Run& run) {
  if (options.n_landmarks) return stress_by_landmarks(input, options, run, map);
  const StressSettings settings = stress_settings(options);
  // 1. The order of the distances of all pairs.
  const TargetDistances targets = target_distances(input, settings, NonmetricStress::kBytesPerPair, run);
  NonmetricStress stress(input.size(), targets.distance, options.ties == TieRule::Primary, run);
  // 2. Start from classical scaling of their ranks.
  const auto start = [&] {
    TargetDistances ranks{.own = std::make_shared<Array2<double>>(stress.ranks())};
    ranks.distance = [own = ranks.own](Index i, Index j) { return (*own)(i, j); };
    return classical_start(input, ranks, settings, run);
  };
  // 3. Descend stress-1; monotone regression finds the disparities of every map.
  const auto placing = [&](const Array2<double>& final_map) -> StressPlacer::Settings {
    Array2<double> gradient(final_map.rows(), final_map.cols());
    stress.evaluate(final_map, gradient, run);
    auto corners = stress.corners([&](Index i, Index j) { return targets.distance(i, j) / targets.unit; });
    return {.distances = std::move(corners.first), .disparities = std::move(corners.second)};
  };
  return fit_stress(input, targets, settings,
                    {.stage = "non-metric MDS",
                     .objective = stress,
                     .start = start,
                     .report = [](double value) -> Attributes {
                       return {{"stress", std::sqrt(value)}};
                     },
                     .placing = placing},
                    run);
}

}  // namespace

Model nonmetric_mds(const Input& input, const NonmetricMdsOptions& options, const Run& run) {
  return run_method<NonmetricMdsOptions>({.resolve = resolve_stress, .map = map}, input, options, run);
}

}  // namespace unroll
