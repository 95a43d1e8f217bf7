#include "frame/stress_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/at.h"
#include "core/finite.h"
#include "layout/layout_fit.h"
#include "layout/layout_transformer.h"
#include "neighbors/input_neighbors.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse_option(std::string problem, std::string advice, std::string option) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = std::move(problem), .advice = std::move(advice), .option = std::move(option)});
}

/// Which of several starts is best is not known before all of them are at their end.
void refuse_several_starts(const Model& model) {
  for (const NamedValue& option : model.options())
    if (const auto* n_init = std::get_if<std::int64_t>(&option.value); option.name == "n_init" && n_init && *n_init > 1)
      refuse_option(fmt::format("the model to go on from is the best of n_init={} starts", *n_init),
                    "give its coordinates as the start of a new map, with n_init=1", "n_init");
}

/// The k-th start: the first is as init says, others are random.
StartedMap start_of(Index k, const Input& input, const TargetDistances& targets, const StressSettings& settings,
                    const StressPlan& plan, const Run& run) {
  if (k == 0 && settings.init == LayoutStart::Given)
    return given_start(input, targets, settings, plan.objective, plan.unit, run);
  if (k == 0 && settings.init != LayoutStart::Random) return plan.start();
  StartedMap random{random_start(input.size(), settings.n_components, settings.seed + static_cast<std::uint64_t>(k))};
  // Normal coordinates of deviation s have distances of 2 d s^2 in the mean square.
  const double deviation =
      plan.objective.usual_distance() / std::sqrt(2 * static_cast<double>(settings.n_components)) / plan.unit;
  for (Index i = 0; i < random.coordinates.size(); ++i) random.coordinates.data()[i] *= deviation;
  return random;
}

/// Up to `count` entries of every row, the smallest.
SparseMatrix nearest_entries(const SparseMatrix& all, Index count) {
  SparseMatrix result{.rows = all.rows, .cols = all.cols};
  std::vector<Index> entries;
  for (Index i = 0; i < all.rows; ++i) {
    entries.resize(at(all.offsets[at(i) + 1] - all.offsets[at(i)]));
    std::iota(entries.begin(), entries.end(), all.offsets[at(i)]);
    const std::size_t kept = std::min(entries.size(), at(count));
    std::partial_sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end(),
                      [&](Index a, Index b) {
                        return all.values[at(a)] != all.values[at(b)] ? all.values[at(a)] < all.values[at(b)] : a < b;
                      });
    std::sort(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(kept));
    for (std::size_t k = 0; k < kept; ++k) {
      result.columns.push_back(all.columns[at(entries[k])]);
      result.values.push_back(all.values[at(entries[k])]);
    }
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

/// The nearest of each point: what new rows of distances are compared with.
NeighborGraph known_neighbors(const Input& input, const TargetDistances& targets, const Run& run) {
  constexpr Index kFew = 15;
  if (input.kind() == InputKind::Points) return {};
  const NeighborOptions few{.n_neighbors = std::min(kFew, input.size() - 1), .metric = Metric::Precomputed};
  if (targets.own) return input_neighbors(DistancesView{*targets.own}, few, run).graph;
  if (targets.distance) return input_neighbors(input, few, run).graph;
  SparseMatrix known = nearest_entries(targets.known, kFew);
  for (double& value : known.values) value /= targets.unit;
  return input_neighbors(SparseDistances(known), {.metric = Metric::Precomputed}, run).graph;
}

}  // namespace

void check_stress_options(const Input& input, const StressSettings& settings, bool by_landmarks) {
  const bool has_points = input.kind() == InputKind::Points;
  if (settings.init == LayoutStart::Pca && !(has_points && settings.metric == Metric::Euclidean))
    refuse_option("init=pca is for points and metric=euclidean", "use init=auto, which is classical scaling", "init");
  if (input.resume != nullptr) refuse_several_starts(*input.resume);
  if (!by_landmarks) return;
  if (!has_points || input.pair_weights)
    throw Error(ErrorKind::Unsupported, "n_landmarks is for points without weights of pairs", "leave out n_landmarks");
  if (input.init || input.resume != nullptr)
    throw Error(ErrorKind::Unsupported, "with n_landmarks the map starts from that of the landmarks",
                "leave out n_landmarks, or the start");
}

std::unique_ptr<Stress> stress_of(TargetDistances& targets, Index n, PairWeights weights, const Run& run) {
  if (!targets.distance) return partial_stress(targets.known, std::move(targets.weights), weights);
  return full_stress(std::make_unique<const TargetTiles>(n, targets.distance, kept_as(n, targets.has_points), run),
                     weights, run);
}

MethodFit fit_stress(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                     const StressPlan& plan, const Run& run) {
  std::unique_ptr<StressLayout> best;
  std::vector<Warning> warnings;
  std::optional<Warning> early;
  for (Index k = 0; k < settings.n_init && !early; ++k) {
    std::unique_ptr<StressLayout> layout;
    if (input.resume != nullptr) {
      layout = std::make_unique<StressLayout>(plan.objective, input.resume->coordinates(), resumed_state(*input.resume),
                                              plan.unit, settings.tol);
      layout->check_goes_on(run);
    } else {
      StartedMap start = start_of(k, input, targets, settings, plan, run);
      warnings.insert(warnings.end(), start.warnings.begin(), start.warnings.end());
      layout = std::make_unique<StressLayout>(plan.objective, start.coordinates, plan.unit, settings.tol);
    }
    if (settings.n_init > 1) early = run_layout(*layout, settings.n_iter, plan.stage, run);
    if (!best || layout->value(run) < best->value(run)) best = std::move(layout);
  }
  const NeighborGraph nearest = known_neighbors(input, targets, run);
  NeighborOptions search{.n_neighbors = input.size() - 1, .metric = settings.metric, .p = settings.p};
  MethodFit fit = layout_fit(*best, input,
                             {.iterations = early ? best->iteration() : settings.n_iter,
                              .stage = plan.stage,
                              .report = [&](const Array2<double>&) { return plan.report(best->value(run)); },
                              .search = search,
                              .nearest = &nearest,
                              .placer =
                                  [&](auto map) {
                                    StressPlacer::Settings placing = plan.placing(*map);
                                    return std::make_shared<const StressPlacer>(std::move(map), std::move(placing));
                                  }},
                             run);
  require_finite(fit.embedding.coordinates, "coordinates");
  if (early) fit.embedding.warnings.push_back(*early);
  fit.embedding.warnings.insert(fit.embedding.warnings.begin(), warnings.begin(), warnings.end());
  return fit;
}

MethodFit placed_by_landmarks(MethodFit fit) {
  fit.transformer = dynamic_cast<const LayoutTransformer&>(*fit.transformer).of_landmarks();
  return fit;
}

}  // namespace unroll
