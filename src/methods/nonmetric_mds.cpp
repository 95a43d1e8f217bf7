#include "unroll/methods/nonmetric_mds.h"

#include <cmath>

#include "data/column_statistics.h"
#include "frame/frame.h"
#include "frame/stress_map.h"
#include "layout/nonmetric_stress.h"

namespace unroll {
namespace {

/// Classical scaling of the ranks of the distances, then Sammon's mapping of them: it is near the ends of the descents,
/// and more of these are low ones than from classical scaling alone.
StartedMap start_of_ranks(const Input& input, const NonmetricStress& stress, const StressSettings& settings,
                          const Run& run) {
  constexpr Index kMostSteps = 50;
  constexpr double kTolerance = 1e-4;
  const Index n = input.size();
  // Of at most n (n - 1) / 2; an objective wants targets of about 1.
  TargetDistances ranks{.unit = power_of_two_scale(0.5 * static_cast<double>(n) * static_cast<double>(n - 1)),
                        .own = std::make_shared<Array2<double>>(stress.ranks())};
  ranks.distance = [own = ranks.own, unit = ranks.unit](Index i, Index j) { return unit * (*own)(i, j); };
  StartedMap start = classical_start(input, ranks, settings, run);
  const std::unique_ptr<Stress> near = stress_of(ranks, n, PairWeights::Inverse, run);
  StressLayout layout(*near, start.coordinates, ranks.unit, kTolerance);
  layout.step(kMostSteps, run);
  start.coordinates = layout.coordinates();
  return start;
}

MethodFit map(const Input& input, const NonmetricMdsOptions& options, const Run& run) {
  if (options.n_landmarks) return stress_by_landmarks(input, options, run, map);
  const StressSettings settings = stress_settings(options);
  // 1. The order of the distances of all pairs.
  const TargetDistances targets = target_distances(input, settings, NonmetricStress::kBytesPerPair, run);
  NonmetricStress stress(input.size(), targets.distance, options.ties == TieRule::Primary, run);
  // 2. Start from Sammon's mapping of their ranks.
  const auto start = [&] { return start_of_ranks(input, stress, settings, run); };
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
