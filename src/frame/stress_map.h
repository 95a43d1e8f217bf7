#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/method_fit.h"
#include "frame/map_by_landmarks.h"
#include "layout/layout_start.h"
#include "layout/stress_layout.h"
#include "layout/stress_placer.h"
#include "layout/target_tiles.h"
#include "unroll/core/input.h"
#include "unroll/layout/layout_start.h"
#include "unroll/neighbors/neighbors.h"

/// What metric and non-metric scaling and Sammon's mapping do alike with options of the same names.
namespace unroll {

/// Options that they share.
struct StressSettings {
  Index n_components, n_init, n_iter;
  double tol;
  LayoutStart init;
  Metric metric;
  double p;
  std::uint64_t seed;
};

template <class Options>
StressSettings stress_settings(const Options& options) {
  return {options.n_components, options.n_init, options.n_iter, options.tol,
          options.init,         options.metric, options.p,      static_cast<std::uint64_t>(options.random_state)};
}

/// The distances that a map is fitted to, times a power of two that makes the largest about 1.
struct TargetDistances {
  double unit = 1;
  double weight_unit = 1;                    ///< the weights are those given times this power of two
  TargetTiles::Distance distance = {};       ///< of all pairs; none: only some are known
  bool has_points = false;                   ///< they can be computed at any time
  SparseMatrix known = {};                   ///< if some are known: these, symmetric
  std::vector<double> weights = {};          ///< of its entries; none: all are 1
  std::shared_ptr<Array2<double>> own = {};  ///< all of them, if a sparse matrix lacks none
};

/// Checks what came with the input, and makes the distances of it. NaN and weights of 0 are unknown distances, and so
/// are those that a sparse matrix lacks. Throws InvalidData for what is no distance or weight, and OutOfMemory unless
/// they, the map and `more_bytes` per pair fit.
TargetDistances target_distances(const Input& input, const StressSettings& settings, double more_bytes, const Run& run);

/// Whether two points are known to be at distance 0.
bool are_copies(const TargetDistances& targets, Index i, Index j);

/// Throws InvalidOption or Unsupported for what does not go together.
void check_stress_options(const Input& input, const StressSettings& settings, bool by_landmarks);

template <class Options>
void resolve_stress(const Input& input, Options& options) {
  resolve_landmarks(input, options);
  check_stress_options(input, stress_settings(options), options.n_landmarks.has_value());
}

/// The stress of these distances, which must outlive it; their weights move into it.
std::unique_ptr<Stress> stress_of(TargetDistances& targets, Index n, PairWeights weights, const Run& run);

/// Classical scaling of the distances; if some are unknown, of the lengths of shortest paths through the known ones.
/// Points that would start at one place, although they are apart, are moved a little.
StartedMap classical_start(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                           const Run& run);

/// The start that came with the input, whatever its unit: scaled by the factor that is best for the objective, and
/// repaired as that of classical scaling is. `unit` is that of the objective, see StressLayout.
StartedMap given_start(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                       StressObjective& objective, double unit, const Run& run);

/// What a method adds to the steps that all of them share.
struct StressPlan {
  std::string_view stage;
  StressObjective& objective;
  double unit = 1;                         ///< see StressLayout
  std::function<StartedMap()> start = {};  ///< as init says, unless that is random or given
  std::function<Attributes(double value)> report = {};
  std::function<StressPlacer::Settings(const Array2<double>& map)> placing = {};
};

/// Descends from every start, and keeps the best map.
MethodFit fit_stress(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                     const StressPlan& plan, const Run& run);

/// A fit whose points were all placed by the map of landmarks.
MethodFit placed_by_landmarks(MethodFit fit);

/// The map of the landmarks alone, by which all points are placed.
template <class Options>
MethodFit stress_by_landmarks(const Input& input, const Options& options, const Run& run,
                              MethodFit (*map)(const Input&, const Options&, const Run&)) {
  return placed_by_landmarks(map_by_landmarks(input, options, run, map));
}

}  // namespace unroll
