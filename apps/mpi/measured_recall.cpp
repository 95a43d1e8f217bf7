#include <algorithm>

#include "cluster_search.h"
#include "core/at.h"
#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "neighbors/search_engine.h"

namespace unroll::cluster {
namespace {

/// The nearest of a rank's points to every point of the sample, with itself if it is one of them.
template <class T>
NeighborGraph nearest_own(const RankPoints& own, const PointSample& sample, const NeighborOptions& options,
                          SearchLimits limits, double scale, const Run& run) {
  NeighborGraphBuilder graph(std::ssize(sample.ids), limits, own.size(), run);
  if (own.size() > 0) {
    auto queries = Array2<T>::uninitialized(sample.values.rows(), sample.values.cols());  // of the type of the points
    std::transform(sample.values.data(), sample.values.data() + sample.values.size(), queries.data(),
                   [](double x) { return static_cast<T>(x); });
    const MetricRows rows = metric_rows(own.view(), options.metric, scale, run);
    make_engine(rows, SearchAlgorithm::Brute, options, run)
        ->search(metric_rows(queries, options.metric, scale, run), limits, graph, run);
  }
  return graph.take();
}

/// The distance to every sample point's true last neighbour, from the nearest points of all ranks.
std::vector<double> true_reach(const Ranks& ranks, const RankPoints& own, const PointSample& sample,
                               const NeighborGraph& near, Index n_neighbors) {
  std::vector<Candidate> candidates;
  std::vector<Index> degrees;
  for (Index q = 0; q < std::ssize(sample.ids); ++q) {
    degrees.push_back(near.degree(q));
    for (Index e = 0; e < near.degree(q); ++e)
      candidates.push_back({near.distances_of(q)[at(e)], own.ids[at(near.neighbors_of(q)[at(e)])]});
  }
  const std::vector<Candidate> all = ranks.gather(candidates).items;
  const std::vector<Index> all_degrees = ranks.gather(degrees).items;
  std::vector<std::vector<double>> lists(sample.ids.size());
  std::size_t place = 0;
  for (std::size_t i = 0; i < all_degrees.size(); ++i)
    for (Index e = 0; e < all_degrees[i]; ++e, ++place) {
      const std::size_t q = i % sample.ids.size();
      if (all[place].index != sample.ids[q]) lists[q].push_back(all[place].distance);
    }
  std::vector<double> reach;
  for (std::vector<double>& list : lists) {
    std::nth_element(list.begin(), list.begin() + (n_neighbors - 1), list.end());
    reach.push_back(list[at(n_neighbors - 1)]);
  }
  return reach;
}

}  // namespace

MeasuredRecall measure_recall(const Ranks& ranks, const RankPoints& own, const NeighborGraph& found,
                              const NeighborOptions& options, Index n_neighbors, double scale, Index n,
                              const Run& run) {
  constexpr Index kSample = 500;
  const PointSample sample = sample_of_all(ranks, own, n, kSample);
  const NeighborGraph near = ranks.together([&] {
    return std::visit(
        [&]<class T>(const Array2<T>&) { return nearest_own<T>(own, sample, options, {n_neighbors + 1}, scale, run); },
        own.values);
  });
  const std::vector<double> reach = true_reach(ranks, own, sample, near, n_neighbors);
  Index hits = 0;
  for (std::size_t q = 0; q < sample.ids.size(); ++q) {
    const auto here = std::lower_bound(own.ids.begin(), own.ids.end(), sample.ids[q]);
    if (here == own.ids.end() || *here != sample.ids[q]) continue;
    for (const double distance : found.distances_of(here - own.ids.begin())) hits += distance <= reach[q] ? 1 : 0;
  }
  const Index wanted = n_neighbors * std::ssize(sample.ids);
  return {static_cast<double>(ranks.sum(hits)) / static_cast<double>(wanted), std::ssize(sample.ids)};
}

}  // namespace unroll::cluster
