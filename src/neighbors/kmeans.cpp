#include "unroll/neighbors/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/reported_as.h"
#include "data/validate.h"
#include "linalg/centered_points.h"
#include "neighbors/center_search.h"
#include "neighbors/kmeans_start.h"

namespace unroll {
namespace {

/// A run of Lloyd's algorithm, in the units of z.
struct Solution {
  Array2<double> centers = {};
  Assignment assignment = {};
  std::vector<double> history = {};
  Index iterations = 0;
  bool converged = false;
};

/// How often the points count, the largest weight being 1; empty: once each.
using Weights = std::span<const double>;
double weight_of(Weights weights, Index i) { return weights.empty() ? 1 : weights[static_cast<std::size_t>(i)]; }

/// The weights over the largest of them, and that one.
struct ScaledWeights {
  std::vector<double> values = {};
  double unit = 1;
};
ScaledWeights scaled_weights(std::span<const double> given, Index n) {
  if (given.empty()) return {};
  if (std::ssize(given) != n)
    throw Error(ErrorKind::InvalidData, fmt::format("there are {} weights, but {} points", given.size(), n),
                "give one per point");
  ScaledWeights result{.values = {given.begin(), given.end()}, .unit = 0};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!std::isfinite(given[i]) || given[i] < 0)
      throw Error(ErrorKind::InvalidData, {.problem = fmt::format("the weight of point {} is {}", i + 1, given[i]),
                                           .advice = "give finite weights that are not negative",
                                           .row = static_cast<Index>(i)});
    result.unit = std::max(result.unit, given[i]);
  }
  if (result.unit == 0) throw Error(ErrorKind::InvalidData, "all weights are 0", "give some point a larger one");
  for (double& weight : result.values) weight /= result.unit;
  return result;
}

/// The assignment to the nearest centers, with the weighted inertia.
Assignment assign_weighted(const CenteredPoints& z, const Array2<double>& centers, Weights weights, const Run& run) {
  Assignment found = assign(z, centers, run);
  if (!weights.empty())
    found.inertia = std::inner_product(weights.begin(), weights.end(), found.distances.begin(), 0.0);
  return found;
}

/// The points of every cluster, by counting sort.
struct Members {
  std::vector<Index> offsets, points;

  Members(const std::vector<Index>& labels, Index clusters)
      : offsets(static_cast<std::size_t>(clusters) + 1), points(labels.size()) {
    for (const Index label : labels) ++offsets[static_cast<std::size_t>(label) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
      points[static_cast<std::size_t>(next[static_cast<std::size_t>(labels[i])]++)] = static_cast<Index>(i);
  }
  double weight(Index cluster, Weights weights) const {
    const Index begin = offsets[static_cast<std::size_t>(cluster)],
                end = offsets[static_cast<std::size_t>(cluster) + 1];
    if (weights.empty()) return static_cast<double>(end - begin);
    double sum = 0;
    for (Index m = begin; m < end; ++m) sum += weight_of(weights, points[static_cast<std::size_t>(m)]);
    return sum;
  }
};

/// Sums over pieces of clusters, added in order; the pieces depend on the labels alone. A cluster without points, or of
/// weight 0, keeps its center.
void move_to_means(const CenteredPoints& z, const std::vector<Index>& labels, Weights weights, Array2<double>& centers,
                   const Run& run) {
  constexpr Index kPiece = 4096;
  struct Piece {
    Index cluster, begin, end;
  };
  const Members members(labels, centers.rows());
  std::vector<Piece> pieces;
  std::vector<double> sizes;
  for (Index c = 0; c < centers.rows(); ++c) {
    const Index end = members.offsets[static_cast<std::size_t>(c) + 1];
    sizes.push_back(members.weight(c, weights));
    if (sizes.back() == 0) continue;
    for (Index begin = members.offsets[static_cast<std::size_t>(c)]; begin < end; begin += kPiece)
      pieces.push_back({c, begin, std::min(end, begin + kPiece)});
    std::fill_n(centers.row(c), centers.cols(), 0.0);
  }
  Array2<double> sums(static_cast<Index>(pieces.size()), z.cols());
  parallel_for(run, sums.rows(), 1, [&](Index p, Index) {
    const Piece& piece = pieces[static_cast<std::size_t>(p)];
    std::vector<double> row(static_cast<std::size_t>(z.cols()));
    for (Index m = piece.begin; m < piece.end; ++m) {
      const Index i = members.points[static_cast<std::size_t>(m)];
      const double weight = weight_of(weights, i);
      z.pack(i, 1, row.data());
      for (Index j = 0; j < z.cols(); ++j) sums(p, j) += weight * row[static_cast<std::size_t>(j)];
    }
  });
  for (Index p = 0; p < sums.rows(); ++p) {
    const Index c = pieces[static_cast<std::size_t>(p)].cluster;
    for (Index j = 0; j < z.cols(); ++j) centers(c, j) += sums(p, j) / sizes[static_cast<std::size_t>(c)];
  }
}

/// Gives every cluster without points the point that is farthest from its own center. The only point of a cluster, and
/// points at their centers, stay; points of weight 0 do not count. Returns whether a point was moved.
bool fill_empty_clusters(Assignment& assignment, Index clusters, Weights weights) {
  std::vector<Index> sizes(static_cast<std::size_t>(clusters));
  for (std::size_t i = 0; i < assignment.labels.size(); ++i)
    if (weight_of(weights, static_cast<Index>(i)) > 0) ++sizes[static_cast<std::size_t>(assignment.labels[i])];
  if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) return false;

  std::vector<std::size_t> farthest_first(assignment.labels.size());
  std::iota(farthest_first.begin(), farthest_first.end(), std::size_t{0});
  std::stable_sort(farthest_first.begin(), farthest_first.end(),
                   [&](std::size_t a, std::size_t b) { return assignment.distances[a] > assignment.distances[b]; });
  bool moved = false;
  auto next = farthest_first.begin();
  for (Index c = 0; c < clusters; ++c) {
    if (sizes[static_cast<std::size_t>(c)] > 0) continue;
    const auto can_move = [&](std::size_t i) {
      return sizes[static_cast<std::size_t>(assignment.labels[i])] > 1 && weight_of(weights, static_cast<Index>(i)) > 0;
    };
    next = std::find_if(next, farthest_first.end(), can_move);
    if (next == farthest_first.end() || assignment.distances[*next] == 0) break;
    --sizes[static_cast<std::size_t>(assignment.labels[*next])];
    ++sizes[static_cast<std::size_t>(c)];
    assignment.labels[*next] = c;
    assignment.distances[*next] = 0;
    moved = true;
    ++next;
  }
  return moved;
}

double squared_shift(const Array2<double>& a, const Array2<double>& b) {
  double sum = 0;
  for (Index c = 0; c < a.rows(); ++c) sum += squared_distance(a.row(c), b.row(c), a.cols());
  return sum;
}

Solution lloyd(const CenteredPoints& z, Array2<double> start, Weights weights, double tolerance, Index max_iter,
               const Run& run) {
  Solution s{.centers = std::move(start)};
  s.assignment = assign_weighted(z, s.centers, weights, run);
  s.history.push_back(s.assignment.inertia);
  fill_empty_clusters(s.assignment, s.centers.rows(), weights);
  while (s.iterations < max_iter && !s.converged) {
    const Array2<double> before = s.centers;
    move_to_means(z, s.assignment.labels, weights, s.centers, run);
    Assignment next = assign_weighted(z, s.centers, weights, run);
    s.history.push_back(next.inertia);
    ++s.iterations;
    const bool settled = next.labels == s.assignment.labels || squared_shift(s.centers, before) <= tolerance;
    s.assignment = std::move(next);
    const bool refilled = s.iterations < max_iter && fill_empty_clusters(s.assignment, s.centers.rows(), weights);
    s.converged = settled && !refilled;
    run.check_cancelled();
  }
  return s;
}

void check_count(PointsView points, Index clusters) {
  if (clusters <= points.rows()) return;
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("n_clusters={} must be at most the number of points, {}", clusters, points.rows()),
       .advice = "use a smaller n_clusters",
       .option = "n_clusters"});
}

/// Throws InvalidData unless squared distances to the centers are finite, in units in which the points have size one.
void check_near(const Array2<double>& start) {
  if (std::all_of(start.data(), start.data() + start.size(), [](double value) { return std::abs(value) < 0x1p400; }))
    return;
  throw Error(ErrorKind::InvalidData, "the start is more than 2^400 times as far away as the points are large",
              "give one in their units");
}

void check_memory(PointsView points, Index clusters, const Run& run) {
  const auto n = static_cast<double>(points.rows()), d = static_cast<double>(points.cols());
  MemoryPlan plan;
  plan.add("labels and distances", n, 8, sizeof(double)).add("the centers", static_cast<double>(clusters), d, 32);
  plan.require(run, "use fewer points");
}

/// Converts the units of z to those of the data; `weight` is the unit of the weights.
KMeans in_data_units(const CenteredPoints& z, Solution solution, double weight, const Run& run) {
  KMeans result{.iterations = solution.iterations, .converged = solution.converged};
  result.centers = std::move(solution.centers);
  for (Index c = 0; c < result.centers.rows(); ++c)
    for (Index j = 0; j < result.centers.cols(); ++j)
      result.centers(c, j) = (result.centers(c, j) + z.center[static_cast<std::size_t>(j)]) / z.scale;
  const double largest = solution.history.front() / z.scale / z.scale, least = solution.history.back();
  if (!std::isfinite(largest) || (least > 0 && least / z.scale / z.scale < 0x1p-900)) result.inertia_unit = z.scale;
  const double unit = result.inertia_unit / z.scale;
  for (const double inertia : solution.history) result.history.push_back(inertia * unit * unit * weight);
  result.inertia = result.history.back();
  result.labels = nearest_centers(z.points, result.centers, run);
  return result;
}

void add_warnings(KMeans& result, const KMeansOptions& options) {
  const auto clusters = static_cast<std::size_t>(result.centers.rows());
  std::vector<bool> used(clusters);
  for (const Index label : result.labels) used[static_cast<std::size_t>(label)] = true;
  const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  if (count < clusters)
    result.warnings.push_back({"empty-clusters",
                               fmt::format("only {} of {} clusters have points: there are fewer distinct points than "
                                           "clusters, or too few iterations",
                                           count, clusters),
                               fmt::format("use n_clusters={}", count)});
  if (!result.converged)
    result.warnings.push_back({"not-converged",
                               fmt::format("k-means did not settle within max_iter={} iterations", options.max_iter),
                               "use a larger max_iter"});
  if (result.inertia_unit != 1)
    result.warnings.push_back(
        {"inertia-range",
         fmt::format("the inertia leaves the range of double: it is that of the data times {:g}", result.inertia_unit),
         "rescale the data if you need it in their own units"});
}

double absolute_tolerance(const CenteredPoints& z, double tol, const Run& run) {
  return tol * squared_norm(z, run) / static_cast<double>(z.rows()) / static_cast<double>(z.cols());
}

}  // namespace

KMeans kmeans(PointsView points, const KMeansOptions& options, const Run& run, std::span<const double> weights) {
  return reported_as("kmeans", [&]() -> KMeans {
    validate_options(options, "kmeans");
    check_points(points, 1, run);
    check_count(points, options.n_clusters);
    const ScaledWeights scaled = scaled_weights(weights, points.rows());
    check_memory(points, options.n_clusters, run);
    const CenteredPoints z = centered(points, run);
    const double tolerance = absolute_tolerance(z, options.tol, run);
    const Random random(static_cast<std::uint64_t>(options.random_state), "kmeans.start");
    Solution best;
    for (Index attempt = 0; attempt < options.n_init; ++attempt) {
      run.report({.stage = "k-means", .fraction = static_cast<double>(attempt) / static_cast<double>(options.n_init)});
      Solution solution = lloyd(z, kmeans_start(z, options.n_clusters, random, attempt, run, scaled.values),
                                scaled.values, tolerance, options.max_iter, run);
      if (attempt == 0 || solution.assignment.inertia < best.assignment.inertia) best = std::move(solution);
    }
    KMeans result = in_data_units(z, std::move(best), scaled.unit, run);
    add_warnings(result, options);
    return result;
  });
}

KMeans kmeans(PointsView points, const Array2<double>& start, const KMeansOptions& options, const Run& run,
              std::span<const double> weights) {
  return reported_as("kmeans", [&]() -> KMeans {
    validate_options(options, "kmeans");
    check_points(points, 1, run);
    check_points(start, 1, run, "start");
    if (start.cols() != points.cols())
      throw Error(ErrorKind::InvalidData,
                  fmt::format("the start has {} features, the points have {}", start.cols(), points.cols()),
                  "give both the same");
    check_count(points, start.rows());
    const ScaledWeights counted_as = scaled_weights(weights, points.rows());
    check_memory(points, start.rows(), run);
    const CenteredPoints z = centered(points, run);
    CenteredPoints centers = z;
    centers.points = start;
    Array2<double> scaled = Array2<double>::uninitialized(start.rows(), start.cols());
    centers.pack(0, start.rows(), scaled.data());
    check_near(scaled);
    const double tolerance = absolute_tolerance(z, options.tol, run);
    KMeans result = in_data_units(z, lloyd(z, std::move(scaled), counted_as.values, tolerance, options.max_iter, run),
                                  counted_as.unit, run);
    add_warnings(result, options);
    return result;
  });
}

}  // namespace unroll
