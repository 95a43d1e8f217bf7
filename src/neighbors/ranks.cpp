#include "neighbors/ranks.h"

#include <algorithm>

#include "core/parallel.h"
#include "neighbors/pair_distance.h"

namespace unroll {

std::vector<Index> neighbor_ranks(PointsView points, const NeighborGraph& graph, const NeighborOptions& options,
                                  const Run& run) {
  const PairDistance distance(points, options, run);
  std::vector<Index> ranks(static_cast<std::size_t>(graph.edges()));
  parallel_for(run, graph.size(), 8, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
        const Index j = graph.neighbors_of(i)[e];
        const double d = distance.scaled(i, j);
        Index rank = 1;
        for (Index l = 0; l < points.rows(); ++l) {
          if (l == i || l == j) continue;
          const double other = distance.scaled(i, l);
          rank += other < d || (other == d && l < j) ? 1 : 0;
        }
        ranks[static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(i)]) + e] = rank;
      }
  });
  return ranks;
}

}  // namespace unroll
