#pragma once
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// The first `count` neighbours of every point, or all that it has.
NeighborGraph first_neighbors(const NeighborGraph& graph, Index count);

}  // namespace unroll
