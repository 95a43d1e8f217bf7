#include "unroll/methods/sammon.h"

#include "frame/frame.h"
#include "frame/stress_map.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const SammonOptions& options, const Run& run) {
  if (options.n_landmarks) return stress_by_landmarks(input, options, run, map);
  const StressSettings settings = stress_settings(options);
  // 1. The distances of all pairs, or of those that are known.
  TargetDistances targets = target_distances(input, settings, 0, run);
  const std::unique_ptr<Stress> stress = stress_of(targets, input.size(), PairWeights::Inverse, run);
  // 2. Start from classical scaling.
  // 3. Descend the sum of (delta - r)^2 / delta.
  return fit_stress(input, targets, settings,
                    {.stage = "Sammon",
                     .objective = *stress,
                     .unit = targets.unit,
                     .start = [&] { return classical_start(input, targets, settings, run); },
                     .report = [](double value) -> Attributes {
                       return {{"stress", value}};
                     },
                     .placing =
                         [&](const Array2<double>&) {
                           return StressPlacer::Settings{.weights = PairWeights::Inverse,
                                                         .floor = stress->floor() / targets.unit};
                         }},
                    run);
}

}  // namespace

Model sammon(const Input& input, const SammonOptions& options, const Run& run) {
  return run_method<SammonOptions>({.resolve = resolve_stress, .map = map}, input, options, run);
}

}  // namespace unroll
