#include "neighbors/foreign.h"

#include "core/parallel.h"
#include "neighbors/pair_distance.h"

namespace unroll {

// All pairs, plainly: the number of queries is small where one component holds most points.
std::vector<ForeignNeighbor> nearest_foreign(PointsView points, const std::vector<Index>& group,
                                             const std::vector<Index>& queries, const NeighborOptions& options,
                                             const Run& run) {
  constexpr Index kQueriesPerBlock = 16;
  const PairDistance distance(points, options, run);
  std::vector<ForeignNeighbor> result(queries.size());
  const auto search = [&](std::size_t q) {
    const Index own = group[static_cast<std::size_t>(queries[q])];
    ForeignNeighbor& best = result[q];
    for (Index j = 0; j < points.rows(); ++j) {
      if (group[static_cast<std::size_t>(j)] == own) continue;
      const double candidate = distance(queries[q], j);
      if (best.index < 0 || candidate < best.distance) best = {j, candidate};
    }
  };
  parallel_for(run, static_cast<Index>(queries.size()), kQueriesPerBlock, [&](Index begin, Index end) {
    for (Index q = begin; q < end; ++q) search(static_cast<std::size_t>(q));
  });
  return result;
}

}  // namespace unroll
