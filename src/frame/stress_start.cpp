// Where maps of stress start.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "frame/stress_map.h"
#include "layout/limited_memory_bfgs.h"
#include "sources/distance_embedding.h"
#include "sources/path_embedding.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kMostSolved = 2000;  // points: beyond them the start is by landmarks
constexpr Index kStartLandmarks = 500;

double largest_of(const Array2<double>& map) {
  double largest = 0;
  for (Index i = 0; i < map.size(); ++i) largest = std::max(largest, std::abs(map.data()[i]));
  return largest;
}

/// Moves points away from others at the very same place, unless they are copies: no force would do that. Copies of one
/// another move together. The moves are small beside the map's extent, or `extent` if it has none.
void part_coincident(const TargetDistances& targets, std::uint64_t seed, double extent, Array2<double>& map) {
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
  if (const double own = largest_of(map); own > 0) extent = own;
  const Random random(seed, "stress.coincident");
  std::vector<Index> originals;  // those at one place that are no copies; the first stays
  std::vector<std::pair<Index, Index>> moved;
  for (const Index i : order) {
    if (originals.empty() || before(originals.front(), i)) {
      originals = {i};
      continue;
    }
    const auto original =
        std::find_if(originals.begin(), originals.end(), [&](Index o) { return are_copies(targets, o, i); });
    if (original == originals.begin()) continue;
    moved.emplace_back(i, original == originals.end() ? i : *original);
    if (original == originals.end()) originals.push_back(i);
  }
  for (const auto& [i, with] : moved)
    for (Index d = 0; d < dims; ++d)
      map(i, d) += kNudge * extent * random.normal(static_cast<std::uint64_t>(with), static_cast<std::uint64_t>(d));
}

/// Divides a map by its largest coordinate; a map of zeros stays.
void divide_by_largest(Array2<double>& map) {
  const double largest = largest_of(map);
  for (Index i = 0; i < map.size() && largest > 0; ++i) map.data()[i] /= largest;
}

/// Centres a map in any unit and scales it to this usual distance between its points. A map of one place is all zeros.
void scale_to(double usual, Array2<double>& map) {
  divide_by_largest(map);
  const std::vector<double> first(map.row(0), map.row(0) + map.cols());
  for (Index i = 0; i < map.rows(); ++i)
    for (Index d = 0; d < map.cols(); ++d) map(i, d) -= first[at(d)];  // exact where all are equal, unlike a mean
  divide_by_largest(map);
  double squares = 0;
  for (Index d = 0; d < map.cols(); ++d) {
    double mean = 0;
    for (Index i = 0; i < map.rows(); ++i) mean += map(i, d) / static_cast<double>(map.rows());
    for (Index i = 0; i < map.rows(); ++i) map(i, d) -= mean, squares += map(i, d) * map(i, d);
  }
  if (squares == 0) return;
  // The mean of |y_i - y_j|^2 over pairs is 2 / (n - 1) times the sum of the squares.
  const double factor = usual / std::sqrt(2 * squares / static_cast<double>(map.rows() - 1));
  for (Index i = 0; i < map.size(); ++i) map.data()[i] *= factor;
}

/// The value at cY is 1 - 2bc + ac^2; its value and its slope at c = 1 tell a and b, and it is lowest at c = b / a.
double best_factor(StressObjective& objective, const Array2<double>& map, const Run& run) {
  Array2<double> gradient(map.rows(), map.cols());
  const double value = objective.evaluate(map, gradient, run), slope = inner(gradient, map);
  const double a = 1 - value + slope, b = a - slope / 2;
  return a > 0 && b > 0 ? b / a : 1;
}

/// All distances, if of every point more than half are known, so that any two points know a third: an unknown distance
/// is that of the shortest way over one other point. Shortest paths of more steps would take as long as n searches of a
/// nearly complete graph, and are rarely shorter. Otherwise nothing.
std::optional<Array2<double>> completed(const SparseMatrix& known, const Run& run) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  constexpr Index kRows = 8;
  const Index n = known.rows;
  for (Index i = 0; i < n; ++i)
    if (2 * (known.offsets[at(i) + 1] - known.offsets[at(i)]) <= n) return std::nullopt;
  Array2<double> all(n, n);
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      std::fill_n(all.row(i), n, kUnknown);
      for (Index e = known.offsets[at(i)]; e < known.offsets[at(i) + 1]; ++e)
        all(i, known.columns[at(e)]) = known.values[at(e)];
      all(i, i) = 0;
    }
  });
  std::vector<std::vector<double>> found(at(n));  // written when no row is read any more
  parallel_for(
      run, n, kRows,
      [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
          for (Index j = 0; j < n; ++j) {
            if (all(i, j) < kUnknown) continue;
            double shortest = kUnknown;
            for (Index k = 0; k < n; ++k) shortest = std::min(shortest, all(i, k) + all(j, k));
            found[at(i)].push_back(shortest);
          }
      },
      "unknown distances");
  for (Index i = 0; i < n; ++i)
    for (Index j = 0, k = 0; j < n; ++j)
      if (all(i, j) == kUnknown) all(i, j) = found[at(i)][at(k++)];
  return all;
}

/// Classical scaling of these distances: of all points, or of landmarks if they are many.
Array2<double> scaled_classically(const Input& distances, const DistanceSettings& by, const SpectralSettings& spectral,
                                  const Run& run) {
  constexpr const Recipe& kRow = recipe(SpectralMethod::ClassicalMds);
  const Index n = distances.size();
  MethodFit fit = n <= kMostSolved ? embed_distances(kRow, distances, by, spectral, run)
                                   : embed_distances_from(random_landmarks(n, kStartLandmarks, spectral.seed), kRow,
                                                          distances, by, spectral, run);
  return std::move(fit.embedding.coordinates);
}

/// The same of the lengths of shortest paths through the known distances.
Array2<double> scaled_along_paths(const SparseMatrix& matrix, const SpectralSettings& spectral, const Run& run) {
  constexpr const Recipe& kRow = recipe(SpectralMethod::Isomap);
  const Index n = matrix.rows;
  const Input known{SparseDistances(matrix)};
  PathGraph graph = path_graph(known, {.metric = Metric::Precomputed}, ComponentsPolicy::Error, run);
  MethodFit fit = n <= kMostSolved ? embed_paths(kRow, known, std::move(graph), false, spectral, run)
                                   : embed_paths_from(random_landmarks(n, kStartLandmarks, spectral.seed), kRow, known,
                                                      std::move(graph), spectral, run);
  return std::move(fit.embedding.coordinates);
}

}  // namespace

StartedMap classical_start(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                           const Run& run) {
  const SpectralSettings spectral{.n_components = settings.n_components, .seed = settings.seed};
  StartedMap start;
  if (targets.has_points && settings.metric == Metric::Euclidean) {
    start.coordinates = embed_centered_points(input.full(), spectral, run).embedding.coordinates;
  } else if (targets.distance) {
    const Input distances = targets.own ? Input(DistancesView{*targets.own}) : input;
    start.coordinates = scaled_classically(distances, {.metric = settings.metric, .p = settings.p}, spectral, run);
  } else {
    const std::optional<Array2<double>> all = completed(targets.known, run);
    start.coordinates =
        all ? scaled_classically(Input(DistancesView{*all}), {.metric = Metric::Precomputed}, spectral, run)
            : scaled_along_paths(targets.known, spectral, run);
    for (Index i = 0; i < start.coordinates.size(); ++i) start.coordinates.data()[i] /= targets.unit;
  }
  const double* first = start.coordinates.data();
  const bool is_one_place =
      std::all_of(first, first + start.coordinates.size(), [](double value) { return value == 0; });
  if (is_one_place)
    start.warnings.push_back({"equal-points", "all distances are 0, so the map is one place", "look at the data"});
  fill_flat_columns(start.coordinates, settings.seed);
  part_coincident(targets, settings.seed, 0, start.coordinates);
  return start;
}

StartedMap given_start(const Input& input, const TargetDistances& targets, const StressSettings& settings,
                       StressObjective& objective, double unit, const Run& run) {
  StartedMap start{.coordinates = Array2<double>(input.size(), settings.n_components)};
  Array2<double>& map = start.coordinates;
  input.init->visit([&](auto from) {
    for (Index i = 0; i < from.rows; ++i)
      for (Index d = 0; d < from.cols; ++d) map(i, d) = static_cast<double>(from(i, d));
  });
  const double usual = objective.usual_distance();
  scale_to(usual, map);
  fill_flat_columns(map, settings.seed);
  part_coincident(targets, settings.seed, usual, map);
  if (usual > 0) {
    const double factor = best_factor(objective, map, run);
    for (Index i = 0; i < map.size(); ++i) map.data()[i] *= factor;
  }
  for (Index i = 0; i < map.size(); ++i) map.data()[i] /= unit;
  return start;
}

}  // namespace unroll
