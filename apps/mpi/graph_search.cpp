#include "graph_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster_search.h"
#include "core/at.h"
#include "data/column_statistics.h"
#include "data/validate.h"
#include "neighbors/search_limits.h"
#include "rank_search.h"
#include "space_partition.h"

namespace unroll::cluster {
namespace {

/// The scale of all points, as metric_scale of them in one process.
double scale_of_all(const Ranks& ranks, const RankPoints& own, const Run& run) {
  return power_of_two_scale(ranks.largest(own.size() > 0 ? check_points(own.view(), 1, run).max_abs : 0.0));
}

/// The choice of one process, by some of the points: of all, if they are few.
SearchAlgorithm choose_by_sample(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options,
                                 SearchLimits limits, double scale, Index n, const Run& run) {
  constexpr Index kSample = 20'000;
  if (options.algorithm != SearchAlgorithm::Auto) return options.algorithm;
  const PointSample sample = sample_of_all(ranks, own, n, kSample);
  const SearchAlgorithm chosen = ranks.together(
      [&] { return choose_algorithm(metric_rows(sample.values, options.metric, scale, run), options, limits, run); });
  const bool is_many = !may_compare_all_pairs(n) && can_approximate(options) && limits.count <= kMostApproximate;
  return chosen == SearchAlgorithm::Brute && is_many ? SearchAlgorithm::Approximate : chosen;
}

/// With the share of true neighbours that was found.
FoundGraph find_approximately(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options, Index count,
                              double scale, Index n, const Run& run) {
  FoundGraph found{.graph = {own.ids, search_by_clusters(ranks, own, options, count, scale, n, run)}};
  const MeasuredRecall measured = measure_recall(ranks, own, found.graph.graph, options, count, scale, n, run);
  found.search = {SearchAlgorithm::Approximate, false, measured.recall, measured.sample};
  if (measured.recall < options.recall)
    found.search.warnings.push_back(
        {"recall-below-target",
         fmt::format("the approximate search found {:.2f} % of the true neighbors (by a sample of {} points), less "
                     "than the {:.2f} % asked for",
                     100 * measured.recall, measured.sample, 100 * options.recall),
         "use algorithm=brute for all of them, or accept fewer with a smaller recall"});
  found.components = find_components(ranks, found.graph, n);
  return found;
}

}  // namespace

bool can_approximate(const NeighborOptions& options) { return is_euclidean(options.metric) && !options.radius; }

FoundGraph find_graph(const Ranks& ranks, RankPoints own, const NeighborOptions& options, Index n, const Run& run) {
  constexpr Index kMostEdges = 2'000'000;  // of one process, as in `connectivity`
  const SearchLimits limits = ranks.together([&] { return resolve_search_limits(options, n); });
  const double scale = scale_of_all(ranks, own, run);
  const SearchAlgorithm algorithm = choose_by_sample(ranks, own, options, limits, scale, n, run);
  constexpr Index kFewPoints = 384;  // as in one process: all pairs cost less
  if (algorithm == SearchAlgorithm::Approximate && n > kFewPoints && n >= 4 * limits.count)
    return find_approximately(ranks, own, options, limits.count, scale, n, run);
  FoundGraph found{.search = {algorithm == SearchAlgorithm::Approximate ? SearchAlgorithm::Brute : algorithm}};
  if (ranks.count() > 1 && RankBoxes::can_exclude(options.metric)) own = moved_to_parts(ranks, own, n);
  const RankSearch search(ranks, own, options, found.search.algorithm, scale, run);
  found.graph = {own.ids, search.search(limits)};
  found.components = find_components(ranks, found.graph, n);
  Connectivity& growth = found.components.connectivity;
  while (!options.radius && !growth.smallest_connecting_k && std::ssize(growth.components_for_k) < n - 1) {
    const Index wider = std::min(n - 1, 2 * std::ssize(growth.components_for_k));
    if (wider > kMostEdges / n) break;
    growth = find_components(ranks, {own.ids, search.search({wider})}, n).connectivity;
    // A connected graph stays connected with more neighbours.
    if (growth.smallest_connecting_k) growth.components_for_k.resize(at(*growth.smallest_connecting_k));
  }
  return found;
}

}  // namespace unroll::cluster
