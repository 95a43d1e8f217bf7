#include "unroll/methods/metric_mds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frame/frame.h"
#include "frame/stress_map.h"

namespace unroll {
namespace {

MethodFit map(const Input& input, const MetricMdsOptions& options, const Run& run) {
  if (options.n_landmarks) return stress_by_landmarks(input, options, run, map);
  const StressSettings settings = stress_settings(options);
  // 1. The distances of all pairs, or of those that are known.
  const TargetDistances targets = target_distances(input, options.metric, options.p, run);
  plan_stress(targets, input.size(), settings, 0, run);
  const std::unique_ptr<Stress> stress = stress_of(targets, input.size(), PairWeights::One, run);
  // 2. Start from classical scaling.
  // 3. Descend the sum of w (delta - r)^2.
  const auto report = [&](double value) -> Attributes {
    const double raw = value * stress->total() / targets.unit / targets.unit;  // squares of 1e300 have no number
    return {{"stress", std::min(raw, std::numeric_limits<double>::max())}, {"normalized_stress", std::sqrt(value)}};
  };
  return fit_stress(input, targets, settings,
                    {.stage = "metric MDS",
                     .objective = *stress,
                     .unit = targets.unit,
                     .start = [&] { return classical_start(input, targets, settings, run); },
                     .report = report,
                     .placing = [](const Array2<double>&) { return StressPlacer::Settings{}; }},
                    run);
}

}  // namespace

Model metric_mds(const Input& input, const MetricMdsOptions& options, const Run& run) {
  return run_method<MetricMdsOptions>({.resolve = resolve_stress, .map = map}, input, options, run);
}

}  // namespace unroll
