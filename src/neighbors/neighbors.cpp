#include "unroll/neighbors/neighbors.h"

#include <fmt/format.h>

#include <cmath>

#include "core/reported_as.h"
#include "data/validate.h"
#include "neighbors/approximate.h"
#include "neighbors/given_distances.h"
#include "neighbors/search_engine.h"
#include "neighbors/wanted.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void check_approximate(const NeighborOptions& options, Wanted wanted, Index n) {
  if (!is_euclidean(options.metric))
    throw Error(ErrorKind::Unsupported,
                fmt::format("algorithm=approximate is for metric euclidean, cosine and correlation, not {}",
                            name_of(options.metric)),
                "use algorithm=brute");
  if (wanted.count > kMostApproximate && wanted.count != Wanted::kAll && !may_compare_all_pairs(n))
    throw Error(ErrorKind::Unsupported,
                fmt::format("algorithm=approximate finds at most {} neighbors per point, n_neighbors={}",
                            kMostApproximate, wanted.count),
                "use algorithm=brute");
  if (!std::isinf(wanted.radius))
    throw Error(ErrorKind::Unsupported, "algorithm=approximate finds a number of neighbors, not all within a radius",
                "use algorithm=brute or kd_tree");
}

/// Latitudes in radians end at the poles.
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

/// In place of an approximate search.
Neighbors search_all_pairs(const MetricRows& rows, const NeighborOptions& options, Wanted wanted, const Run& run) {
  GraphRows graph(rows.rows(), wanted, rows.rows() - 1, run);
  make_engine(rows, SearchAlgorithm::Brute, options, run)->search_all(wanted, graph, run);
  return {.graph = graph.take(), .report = {.algorithm = SearchAlgorithm::Brute}};
}

Neighbors search_approximately(const MetricRows& rows, const NeighborOptions& options, Wanted wanted, const Run& run) {
  // Among few points, or for a good share of them, all pairs cost less than a guess.
  constexpr Index kFew = 384;
  check_approximate(options, wanted, rows.rows());
  if (rows.rows() <= kFew || rows.rows() < 4 * wanted.count || wanted.count > kMostApproximate)
    return search_all_pairs(rows, options, wanted, run);
  GraphRows graph(rows.rows(), wanted, rows.rows() - 1, run);
  const ApproximateResult reached = approximate_search(rows, options.metric, wanted.count, options.recall,
                                                       static_cast<std::uint64_t>(options.random_state), graph, run);
  // Where single precision cannot tell the points apart (an outlier at 1e100), there is nothing to guess by.
  constexpr double kHopeless = 0.7;
  if (reached.recall < kHopeless * options.recall && may_compare_all_pairs(rows.rows()))
    return search_all_pairs(rows, options, wanted, run);
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
      const Wanted wanted = resolve_wanted(options, points.rows());
      plan_graph(points.rows(), wanted, run);
      GraphRows graph(points.rows(), wanted, points.rows() - 1, run);
      search_dense(points, wanted, graph, run);
      return {.graph = graph.take()};
    }
    check_points(points, 2, run);
    const Wanted wanted = resolve_wanted(options, points.rows());
    plan_graph(points.rows(), wanted, run);
    const MetricRows rows = metric_rows(points, options.metric, metric_scale(points, run), run);
    const SearchAlgorithm algorithm =
        options.algorithm == SearchAlgorithm::Auto ? choose_algorithm(rows, options, wanted, run) : options.algorithm;
    if (algorithm == SearchAlgorithm::Approximate) return search_approximately(rows, options, wanted, run);
    GraphRows graph(points.rows(), wanted, points.rows() - 1, run);
    make_engine(rows, algorithm, options, run)->search_all(wanted, graph, run);
    Neighbors result{.graph = graph.take(), .report = {.algorithm = algorithm}};
    if (options.metric == Metric::Haversine) warn_of_degrees(points, result.report);
    return result;
  });
}

Neighbors neighbors_by(PointsView points, const DistanceFunction& distance, const NeighborOptions& options,
                       const Run& run) {
  return reported_as(NeighborOptions::method_name, [&]() -> Neighbors {
    check_points(points, 2, run);
    const Wanted wanted = resolve_wanted(options, points.rows());
    plan_graph(points.rows(), wanted, run);
    GraphRows graph(points.rows(), wanted, points.rows() - 1, run);
    search_by_function(points, distance, wanted, graph, run);
    return {.graph = graph.take()};
  });
}

Neighbors neighbors(const SparseMatrix& distances, const NeighborOptions& options, const Run& run) {
  return reported_as(NeighborOptions::method_name, [&]() -> Neighbors {
    check_distances(distances);
    const bool takes_all = !options.n_neighbors && !options.radius;
    const Wanted wanted = takes_all ? Wanted{Wanted::kAll} : resolve_wanted(options, distances.rows);
    plan_graph(distances.rows, wanted, run);
    GraphRows graph(distances.rows, wanted, distances.rows - 1, run);
    search_sparse(distances, wanted, graph);
    return {.graph = graph.take()};
  });
}

}  // namespace unroll
