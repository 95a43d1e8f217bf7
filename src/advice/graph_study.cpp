#include "advice/graph_study.h"

#include "core/at.h"
#include "neighbors/first_neighbors.h"
#include "neighbors/graph_findings.h"
#include "neighbors/pair_distance.h"
#include "neighbors/short_circuits.h"

namespace unroll {

void study_graphs(PointsView points, const AdviceOptions& options, const Run& run, Advice& advice) {
  constexpr Index kUsual = 10;  // neighbours for the dimension
  std::vector<Index> sizes;
  for (const std::int64_t k : kNeighbors)
    if (k < points.rows()) sizes.push_back(k);
  const NeighborOptions search{
      .n_neighbors = sizes.back(), .metric = options.metric, .p = options.p, .random_state = options.random_state};
  const NeighborGraph nearest = neighbors(points, search, run).graph;
  const Connectivity growth = connectivity(points, nearest, search, run);
  advice.smallest_connecting_k = growth.smallest_connecting_k;
  advice.dimension = likely_dimension(first_neighbors(nearest, kUsual), run);
  const PairDistance distance(points, search, run);
  for (const Index k : sizes) {
    const NeighborGraph graph = symmetrized(first_neighbors(nearest, k), Symmetrization::Union, run);
    const ShortCircuits found = find_short_circuits(
        graph, [&](Index i, Index j) { return distance.scaled(i, j); }, run);
    advice.graphs.push_back({k, growth.components_for_k[at(k - 1)], found.edges});
  }
}

}  // namespace unroll
