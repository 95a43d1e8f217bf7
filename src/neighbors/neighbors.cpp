#include "unroll/neighbors/neighbors.h"

#include <fmt/format.h>

#include <cmath>

#include "core/reported_as.h"
#include "data/validate.h"
#include "neighbors/approximate.h"
#include "neighbors/given_distances.h"
#include "neighbors/search_engine.h"
#include "neighbors/search_limits.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void check_approximate(const NeighborOptions& options, SearchLimits limits, Index n) {
  if (!is_euclidean(options.metric))
    throw Error(ErrorKind::Unsupported,
                fmt::format("algorithm=approximate is for metric euclidean, cosine and correlation, not {}",
                            name_of(options.metric)),
                "use algorithm=brute");
  if (limits.count > kMostApproximate && limits.count != SearchLimits::kAll && !may_compare_all_pairs(n))
    throw Error(ErrorKind::Unsupported,
                fmt::format("algorithm=approximate finds at most {} neighbors per point, n_neighbors={}",
                            kMostApproximate, limits.count),
                "use algorithm=brute");
  if (!std::isinf(limits.radius))
    throw Error(ErrorKind::Unsupported, "algorithm=approximate finds a number of neighbors, not all within a radius",
                "use algorithm=brute or kd_tree");
}

/// Latitudes in radians are at most pi/2: larger ones are probably degrees.
void warn_of_degrees(PointsView points, SearchReport& report) {
  Index beyond = 0;
  points.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) beyond += std::abs(static_cast<double>(x(i, 0))) > 1.5708 ? 1 : 0;
  });
  if (beyond > 0)
    report.warnings.push_back({"latitude-beyond-pole",
                               fmt::format("{} of {} latitudes are beyond a pole, +-pi/2", beyond, points.rows()),
                               "haversine takes radians: are these degrees?"});
}

/// The exact search instead of an approximate one.
Neighbors search_all_pairs(const MetricRows& rows, const NeighborOptions& options, SearchLimits limits,
                           const Run& run) {
  NeighborGraphBuilder graph(rows.rows(), limits, rows.rows() - 1, run);
  make_engine(rows, SearchAlgorithm::Brute, options, run)->search_all(limits, graph, run);
  return {.graph = graph.take(), .report = {.algorithm = SearchAlgorithm::Brute}};
}

Neighbors search_approximately(const MetricRows& rows, const NeighborOptions& options, SearchLimits limits,
                               const Run& run) {
  // For few points, or if a large share of them is wanted, all pairs cost less than the approximate search.
  constexpr Index kFewPoints = 384;
  check_approximate(options, limits, rows.rows());
  if (rows.rows() <= kFewPoints || rows.rows() < 4 * limits.count || limits.count > kMostApproximate)
    return search_all_pairs(rows, options, limits, run);
  NeighborGraphBuilder graph(rows.rows(), limits, rows.rows() - 1, run);
  const ApproximateResult reached = approximate_search(rows, options.metric, limits.count, options.recall,
                                                       static_cast<std::uint64_t>(options.random_state), graph, run);
  // If single precision cannot distinguish the points (an outlier at 1e100), the approximate search fails.
  constexpr double kHopelessShare = 0.7;
  if (reached.recall < kHopelessShare * options.recall && may_compare_all_pairs(rows.rows()))
    return search_all_pairs(rows, options, limits, run);
  Neighbors result{.graph = graph.take(),
                   .report = {.algorithm = SearchAlgorithm::Approximate,
                              .exact = false,
                              .recall = reached.recall,
                              .recall_sample = reached.sample}};
  if (reached.recall < options.recall)
    result.report.warnings.push_back(
        {"recall-below-target",
         fmt::format("the approximate search found {:.2f} % of the true neighbors (by a sample of {} points), less "
                     "than the {:.2f} % asked for",
                     100 * reached.recall, reached.sample, 100 * options.recall),
         "use algorithm=brute for all of them, or accept fewer with a smaller recall"});
  return result;
}

}  // namespace

Neighbors neighbors(PointsView points, const NeighborOptions& options, const Run& run) {
  return reported_as(NeighborOptions::method_name, [&]() -> Neighbors {
    if (options.metric == Metric::Precomputed) {
      check_distances(points, run);
      const SearchLimits limits = resolve_search_limits(options, points.rows());
      plan_graph(points.rows(), limits, run);
      NeighborGraphBuilder graph(points.rows(), limits, points.rows() - 1, run);
      search_dense(points, limits, graph, run);
      return {.graph = graph.take()};
    }
    check_points(points, 2, run);
    const SearchLimits limits = resolve_search_limits(options, points.rows());
    plan_graph(points.rows(), limits, run);
    const MetricRows rows = metric_rows(points, options.metric, metric_scale(points, run), run);
    const SearchAlgorithm algorithm =
        options.algorithm == SearchAlgorithm::Auto ? choose_algorithm(rows, options, limits, run) : options.algorithm;
    if (algorithm == SearchAlgorithm::Approximate && !points.is_sparse())
      return search_approximately(rows, options, limits, run);
    NeighborGraphBuilder graph(points.rows(), limits, points.rows() - 1, run);
    make_engine(rows, algorithm, options, run)->search_all(limits, graph, run);
    Neighbors result{.graph = graph.take(), .report = {.algorithm = algorithm}};
    if (options.metric == Metric::Haversine) warn_of_degrees(points, result.report);
    return result;
  });
}

Neighbors neighbors_by(PointsView points, const DistanceFunction& distance, const NeighborOptions& options,
                       const Run& run) {
  return reported_as(NeighborOptions::method_name, [&]() -> Neighbors {
    check_points(points, 2, run);
    const SearchLimits limits = resolve_search_limits(options, points.rows());
    plan_graph(points.rows(), limits, run);
    NeighborGraphBuilder graph(points.rows(), limits, points.rows() - 1, run);
    search_by_function(points, distance, limits, graph, run);
    return {.graph = graph.take()};
  });
}

Neighbors neighbors(const SparseMatrix& distances, const NeighborOptions& options, const Run& run) {
  return reported_as(NeighborOptions::method_name, [&]() -> Neighbors {
    check_distances(distances);
    validate_options(options, NeighborOptions::method_name);
    const bool takes_all = !options.n_neighbors && !options.radius;
    const SearchLimits limits =
        takes_all ? SearchLimits{SearchLimits::kAll} : resolve_search_limits(options, distances.rows);
    plan_graph(distances.rows, limits, run);
    NeighborGraphBuilder graph(distances.rows, limits, distances.rows - 1, run);
    search_sparse(distances, limits, graph);
    return {.graph = graph.take()};
  });
}

}  // namespace unroll
