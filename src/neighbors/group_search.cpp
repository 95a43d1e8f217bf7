#include "neighbors/group_search.h"

#include "core/parallel.h"
#include "data/validate.h"
#include "neighbors/search_engine.h"

namespace unroll {
namespace {

/// A matrix of distances needs no search engine.
std::vector<GroupNeighbor> scan_matrix(PointsView distances, const std::vector<Index>& group,
                                       const std::vector<Index>& queries, const Run& run) {
  constexpr Index kQueriesPerBlock = 16;
  std::vector<GroupNeighbor> result(queries.size());
  distances.visit([&](auto x) {
    parallel_for(run, static_cast<Index>(queries.size()), kQueriesPerBlock, [&](Index begin, Index end) {
      for (auto q = static_cast<std::size_t>(begin); q < static_cast<std::size_t>(end); ++q) {
        const Index i = queries[q];
        NearestList nearest(SearchLimits{1});
        for (Index j = 0; j < x.cols; ++j)
          if (group[static_cast<std::size_t>(j)] != group[static_cast<std::size_t>(i)])
            nearest.add(static_cast<double>(x(i, j)), j);
        for (const Candidate& best : nearest.sorted()) result[q] = {best.index, best.distance};
      }
    });
  });
  return result;
}

}  // namespace

std::vector<GroupNeighbor> nearest_of_other_groups(PointsView points, const std::vector<Index>& group,
                                                   const std::vector<Index>& queries, const NeighborOptions& options,
                                                   const Run& run) {
  if (options.metric == Metric::Precomputed) return scan_matrix(points, group, queries, run);
  check_points(points, 1, run);
  const SearchLimits nearest{1};
  const MetricRows rows = metric_rows(points, options.metric, metric_scale(points, run), run);
  SearchAlgorithm algorithm = choose_algorithm(rows, options, nearest, run);
  if (algorithm == SearchAlgorithm::Approximate) algorithm = SearchAlgorithm::Brute;
  NeighborGraphBuilder found(static_cast<Index>(queries.size()), {SearchLimits::kAll, 0}, 0, run);
  make_engine(rows, algorithm, options, run)->search_other_groups(queries, group, nearest, found, run);
  const NeighborGraph graph = found.take();
  std::vector<GroupNeighbor> result(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q)
    if (graph.degree(static_cast<Index>(q)) > 0)
      result[q] = {graph.neighbors_of(static_cast<Index>(q))[0], graph.distances_of(static_cast<Index>(q))[0]};
  return result;
}

}  // namespace unroll
