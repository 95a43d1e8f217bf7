#include "advice/graph_study.h"

#include "core/at.h"
#include "neighbors/first_neighbors.h"
#include "neighbors/graph_findings.h"
#include "neighbors/pair_distance.h"
#include "neighbors/short_circuits.h"

namespace unroll {

GraphStudy study_graphs(PointsView points, const std::vector<Index>& sizes, const AdviceOptions& options,
                        const Run& run) {
  constexpr Index kUsual = 10;  // neighbours for the dimension
  const NeighborOptions search{
      .n_neighbors = sizes.back(), .metric = options.metric, .p = options.p, .random_state = options.random_state};
  const NeighborGraph nearest = neighbors(points, search, run).graph;
  const Connectivity growth = connectivity(points, nearest, search, run);
  GraphStudy study{.smallest_connecting_k = growth.smallest_connecting_k,
                   .dimension = likely_dimension(first_neighbors(nearest, kUsual), run)};
  const PairDistance distance(points, search, run);
  for (const Index k : sizes) {
    const NeighborGraph graph = symmetrized(first_neighbors(nearest, k), Symmetrization::Union, run);
    const ShortCircuits found = find_short_circuits(
        graph, [&](Index i, Index j) { return distance.scaled(i, j); }, run);
    study.graphs.push_back({k, growth.components_for_k[at(k - 1)], found.edges});
  }
  return study;
}

}  // namespace unroll
