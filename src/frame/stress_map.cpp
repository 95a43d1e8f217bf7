#include "frame/stress_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.h"
#include "core/finite.h"
#include "core/memory.h"
#include "core/random.h"
#include "layout/layout_fit.h"
#include "layout/layout_transformer.h"
#include "neighbors/input_neighbors.h"
#include "sources/distance_embedding.h"
#include "sources/path_embedding.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kMostSolved = 2000;  // points: beyond them the start is by landmarks
constexpr Index kStartLandmarks = 500;

[[noreturn]] void refuse_option(std::string problem, std::string advice, std::string option) {
  throw Error(ErrorKind::InvalidOption,
              {.problem = std::move(problem), .advice = std::move(advice), .option = std::move(option)});
}

/// Moves points away from others at the very same place, unless they are copies: no force would do that.
void part_coincident(const TargetDistances& targets, std::uint64_t seed, Array2<double>& map) {
  constexpr double kNudge = 1e-3;
  const Index n = map.rows(), dims = map.cols();
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    return std::lexicographical_compare(map.row(a), map.row(a) + dims, map.row(b), map.row(b) + dims);
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    if (before(a, b)) return true;
    return !before(b, a) && a < b;
  });
  double extent = 0;
  for (Index i = 0; i < map.size(); ++i) extent = std::max(extent, std::abs(map.data()[i]));
  const Random random(seed, "stress.coincident");
  std::vector<Index> moved;
  for (std::size_t k = 1, first = 0; k < at(n); ++k) {
    if (before(order[first], order[k])) {
      first = k;
    } else if (!targets.distance || targets.distance(order[first], order[k]) > 0) {
      moved.push_back(order[k]);
    }
  }
  for (const Index i : moved)
    for (Index d = 0; d < dims; ++d)
      map(i, d) += kNudge * extent * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(d));
}

Array2<double> given_start(const Input& input, Index n_components) {
  Array2<double> start(input.size(), n_components);
  input.init->visit([&](auto from) {
    for (Index i = 0; i < from.rows; ++i)
      for (Index d = 0; d < from.cols; ++d) start(i, d) = static_cast<double>(from(i, d));
  });
  return start;
}

/// The k-th start: the first is as init says, others are random.
StartedMap start_of(Index k, const Input& input, const StressSettings& settings, const StressPlan& plan) {
  if (k == 0 && settings.init == LayoutStart::Given) return {given_start(input, settings.n_components)};
  if (k == 0 && settings.init != LayoutStart::Random) return plan.start();
  StartedMap random{random_start(input.size(), settings.n_components, settings.seed + static_cast<std::uint64_t>(k))};
  // Normal coordinates of deviation s have distances of 2 d s^2 in the mean square.
  const double deviation =
      plan.objective.usual_distance() / std::sqrt(2 * static_cast<double>(settings.n_components)) / plan.unit;
  for (Index i = 0; i < random.coordinates.size(); ++i) random.coordinates.data()[i] *= deviation;
  return random;
}

/// What new rows of distances are compared with.
NeighborGraph known_neighbors(const Input& input, const TargetDistances& targets, const Run& run) {
  constexpr Index kFew = 15;
  if (input.kind() == InputKind::Points) return {};
  if (targets.distance && !input.is_sparse())
    return input_neighbors(input, {.n_neighbors = std::min(kFew, input.size() - 1), .metric = Metric::Precomputed}, run)
        .graph;
  if (targets.own)
    return input_neighbors(DistancesView{*targets.own},
                           {.n_neighbors = input.size() - 1, .metric = Metric::Precomputed}, run)
        .graph;
  SparseMatrix known = targets.known;
  for (double& value : known.values) value /= targets.unit;
  return input_neighbors(SparseDistances(known), {.metric = Metric::Precomputed}, run).graph;
}

}  // namespace

void check_stress_options(const Input& input, const StressSettings& settings, bool by_landmarks) {
  const bool has_points = input.kind() == InputKind::Points;
  if (settings.init == LayoutStart::Pca && !(has_points && settings.metric == Metric::Euclidean))
    refuse_option("init=pca is for points and metric=euclidean", "use init=auto, which is classical scaling", "init");
  if (input.resume != nullptr && settings.n_init > 1)
    refuse_option(fmt::format("n_init={}, but a model to go on from is of one start", settings.n_init),
                  "use n_init=1, or start again", "n_init");
  if (!by_landmarks) return;
  if (!has_points || input.pair_weights)
    throw Error(ErrorKind::Unsupported, "n_landmarks is for points without weights of pairs", "leave out n_landmarks");
  if (input.init || input.resume != nullptr)
    throw Error(ErrorKind::Unsupported, "with n_landmarks the map starts from that of the landmarks",
                "leave out n_landmarks, or the start");
}

void plan_stress(const TargetDistances& targets, Index n, const StressSettings& settings, double more_bytes,
                 const Run& run) {
  constexpr double kArrays = 24;  // the map, its gradient, those of the last steps, copies for new points
  const KeptAs kept = kept_as(n, targets.has_points);
  const double entry = kept == KeptAs::Double ? sizeof(double) : kept == KeptAs::Single ? sizeof(float) : 0;
  const auto padded = static_cast<double>(stress_blocks(n) * simd::kStressBlock);
  MemoryPlan plan;
  if (targets.distance) plan.add("the distances", padded, padded / 2 + simd::kStressBlock / 2.0, entry + more_bytes);
  plan.add("the map", static_cast<double>(n), kArrays * static_cast<double>(settings.n_components), sizeof(double));
  plan.require(run, targets.has_points ? "use n_landmarks=1000, or fewer points" : "use fewer points");
}

std::unique_ptr<Stress> stress_of(const TargetDistances& targets, Index n, PairWeights weights, const Run& run) {
  if (!targets.distance) return partial_stress(targets.known, targets.weights, weights);
  return full_stress(std::make_unique<const TargetTiles>(n, targets.distance, kept_as(n, targets.has_points), run),
                     weights, run);
}

StartedMap classical_start(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                           const Run& run) {
  const Index n = input.size();
  const SpectralSettings spectral{.n_components = settings.n_components, .seed = settings.seed};
  StartedMap start;
  if (targets.has_points && settings.metric == Metric::Euclidean) {
    start.coordinates = embed_centered_points(input.full(), spectral, run).embedding.coordinates;
  } else if (targets.distance) {
    const Input distances = targets.own ? Input(DistancesView{*targets.own}) : input;
    const DistanceSettings by{.metric = settings.metric, .p = settings.p};
    constexpr const Recipe& kRow = recipe(SpectralMethod::ClassicalMds);
    MethodFit fit = n <= kMostSolved ? embed_distances(kRow, distances, by, spectral, run)
                                     : embed_distances_from(random_landmarks(n, kStartLandmarks, settings.seed), kRow,
                                                            distances, by, spectral, run);
    start.coordinates = std::move(fit.embedding.coordinates);
  } else {
    const Input known{SparseDistances(targets.known)};
    PathGraph graph = path_graph(known, {.metric = Metric::Precomputed}, ComponentsPolicy::Error, run);
    constexpr const Recipe& kRow = recipe(SpectralMethod::Isomap);
    MethodFit fit = n <= kMostSolved ? embed_paths(kRow, known, std::move(graph), false, spectral, run)
                                     : embed_paths_from(random_landmarks(n, kStartLandmarks, settings.seed), kRow,
                                                        known, std::move(graph), spectral, run);
    start.coordinates = std::move(fit.embedding.coordinates);
    for (Index i = 0; i < start.coordinates.size(); ++i) start.coordinates.data()[i] /= targets.unit;
  }
  const double* first = start.coordinates.data();
  const bool is_one_place =
      std::all_of(first, first + start.coordinates.size(), [](double value) { return value == 0; });
  if (is_one_place)
    start.warnings.push_back({"equal-points", "all distances are 0, so the map is one place", "look at the data"});
  fill_flat_columns(start.coordinates, settings.seed);
  part_coincident(targets, settings.seed, start.coordinates);
  return start;
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
    } else {
      StartedMap start = start_of(k, input, settings, plan);
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
