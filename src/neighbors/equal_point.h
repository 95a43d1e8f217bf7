#pragma once
#include "neighbors/entry_rule.h"
#include "unroll/neighbors/neighbor_graph.h"

/// Which training point a new row is. `found` has the nearest training points of every new row.
namespace unroll {

/// The nearest training point at distance 0 with the same numbers, the first of several. Under some metrics (cosine,
/// jaccard) others are at distance 0, too: if none has the same numbers, the first of these. -1: none is at distance 0.
Index equal_point(PointsView queries, Index row, const NeighborGraph& found, PointsView training);

/// The same for a row of given distances. Throws InvalidData if it is 0 for training points that are apart.
Index equal_point(PointsView distances, Index row, const NeighborGraph& found, const KnownDistance& known);

}  // namespace unroll
