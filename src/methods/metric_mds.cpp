#include "unroll/methods/metric_mds.h"

#include <algorithm>
#include <cmath>

#include "core/finite.h"
#include "frame/frame.h"
#include "frame/stress_map.h"

namespace unroll {
namespace {

/// The stress in the unit of the data, given that in the unit of the targets. Where this has no number, it is the
/// stress of the distances times the power of two stress_unit.
Attributes raw_stress(double scaled, const TargetDistances& targets) {
  const int unit = std::ilogb(targets.unit), weight_unit = std::ilogb(targets.weight_unit);
  const double raw = std::ldexp(scaled, -2 * unit - weight_unit);
  if (scaled == 0 || std::isnormal(raw)) return {{"stress", raw}};
  const int told = std::clamp(unit + weight_unit / 2, -1022, 1022);
  const double stress = std::ldexp(scaled, 2 * (told - unit) - weight_unit);
  require_finite({stress}, "stress", "divide the weights by a power of two");
  return {{"stress", stress}, {"stress_unit", std::ldexp(1, told)}};
}

MethodFit map(const Input& input, const MetricMdsOptions& options, const Run& run) {
  if (options.n_landmarks) return stress_by_landmarks(input, options, run, map);
  const StressSettings settings = stress_settings(options);
  // 1. The distances of all pairs, or of those that are known.
  TargetDistances targets = target_distances(input, settings, 0, run);
  const std::unique_ptr<Stress> stress = stress_of(targets, input.size(), PairWeights::One, run);
  // 2. Start from classical scaling.
  // 3. Descend the sum of w (delta - r)^2.
  const auto report = [&](double value) {
    Attributes attributes = raw_stress(value * stress->total(), targets);
    attributes.emplace_back("normalized_stress", std::sqrt(value));
    return attributes;
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
