#include <limits>

#include "quality/distance_pairs.h"

namespace unroll {
namespace {

/// The root of a share, and NaN for what no double can hold.
Estimate finite(const Estimate& estimate) {
  if (std::isfinite(estimate.high)) return estimate;
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  return {kUndefined, kUndefined, kUndefined};
}

Estimate root(const Estimate& share) {
  return finite({std::sqrt(share.value), std::sqrt(share.low), std::sqrt(share.high)});
}

/// sum (d - e)^2 over all pairs, in the unit of the points: that of the sample times all pairs / those of the sample.
Estimate raw_stress(const DistancePairs& pairs, double unit, const Run& run) {
  const auto left = [&](std::size_t t) { return pairs.high[t] - unit * pairs.low[t]; };
  const Estimate mean_square = share_left(pairs, run, left, [](std::size_t) { return 1.0; });
  const auto in_units = [&](double value) { return value * pairs.all / pairs.high_factor / pairs.high_factor; };
  return finite({in_units(mean_square.value), in_units(mean_square.low), in_units(mean_square.high)});
}

}  // namespace

Stress stress(const DistancePairs& pairs, const Run& run) {
  const double unit = pairs.high_factor / pairs.low_factor;  // e in the unit of d
  const double products = mean(pairs.size(), run, [&](std::size_t t) { return pairs.high[t] * pairs.low[t]; });
  const double squares = mean(pairs.size(), run, [&](std::size_t t) { return pairs.low[t] * pairs.low[t]; });
  const double best = squares > 0 ? products / squares : 0;
  const auto given = [&](std::size_t t) { return pairs.high[t]; };
  const auto left_by = [&](double factor) {
    return [&pairs, factor](std::size_t t) { return pairs.high[t] - factor * pairs.low[t]; };
  };
  Stress result{.scale = best / unit, .pairs = pairs.size(), .exact = pairs.exact};
  result.stress_1 = root(share_left(pairs, run, left_by(best), given));
  result.stress_1.high = std::min(1.0, result.stress_1.high);
  result.normalized = root(share_left(pairs, run, left_by(unit), given));
  result.raw = raw_stress(pairs, unit, run);
  return result;
}

}  // namespace unroll
