#include "unroll/neighbors/neighbors.h"

#include <fmt/format.h>

#include <cmath>

#include "data/validate.h"
#include "neighbors/approximate.h"
#include "neighbors/given_distances.h"
#include "neighbors/search_engine.h"
#include "neighbors/wanted.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr std::string_view kWho = NeighborOptions::method_name;

void check_approximate(const NeighborOptions& options, Wanted wanted) {
  if (!is_euclidean(options.metric))
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: algorithm=approximate is for metric euclidean, cosine and correlation, not {}; use "
                            "algorithm=brute",
                            kWho, name_of(options.metric)));
  if (!std::isinf(wanted.radius))
    throw Error(ErrorKind::Unsupported,
                fmt::format("{}: algorithm=approximate finds a number of neighbors, not all within a radius; use "
                            "algorithm=brute or kd_tree",
                            kWho));
}

Neighbors search_approximately(const MetricRows& rows, const NeighborOptions& options, Wanted wanted, const Run& run) {
  check_approximate(options, wanted);
  GraphRows graph(rows.rows(), wanted, rows.rows() - 1);
  const ApproximateResult reached = approximate_search(rows, options.metric, wanted.count, options.recall,
                                                       static_cast<std::uint64_t>(options.random_state), graph, run);
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
  if (options.metric == Metric::Precomputed) {
    check_distances(points, run);
    const Wanted wanted = resolve_wanted(options, points.rows());
    plan_graph(points.rows(), wanted, run);
    GraphRows graph(points.rows(), wanted, points.rows() - 1);
    search_dense(points, wanted, graph, run);
    return {.graph = graph.take()};
  }
  check_points(kWho, points, 2, run);
  const Wanted wanted = resolve_wanted(options, points.rows());
  plan_graph(points.rows(), wanted, run);
  const MetricRows rows = metric_rows(points, options.metric, metric_scale(points, run), kWho, run);
  const SearchAlgorithm algorithm =
      options.algorithm == SearchAlgorithm::Auto ? choose_algorithm(rows, options, wanted, run) : options.algorithm;
  if (algorithm == SearchAlgorithm::Approximate) return search_approximately(rows, options, wanted, run);
  GraphRows graph(points.rows(), wanted, points.rows() - 1);
  make_engine(rows, algorithm, options, run)->search_all(wanted, graph, run);
  return {.graph = graph.take(), .report = {.algorithm = algorithm}};
}

Neighbors neighbors_by(PointsView points, const DistanceFunction& distance, const NeighborOptions& options,
                       const Run& run) {
  check_points(kWho, points, 2, run);
  const Wanted wanted = resolve_wanted(options, points.rows());
  plan_graph(points.rows(), wanted, run);
  GraphRows graph(points.rows(), wanted, points.rows() - 1);
  search_by_function(points, distance, wanted, graph, run);
  return {.graph = graph.take()};
}

Neighbors neighbors(const SparseMatrix& distances, const NeighborOptions& options, const Run& run) {
  check_distances(distances);
  const Wanted wanted = resolve_wanted(options, distances.rows);
  plan_graph(distances.rows, wanted, run);
  GraphRows graph(distances.rows, wanted, distances.rows - 1);
  search_sparse(distances, wanted, graph);
  return {.graph = graph.take()};
}

}  // namespace unroll
