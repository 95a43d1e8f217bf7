#pragma once
#include "neighbors/nearest_list.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The options for `n` points, checked: how many neighbours, how near.
SearchLimits resolve_search_limits(const NeighborOptions& options, Index n);

/// Throws OutOfMemory where a graph of `rows` rows would not fit; nothing can be said of a radius in advance.
void plan_graph(Index rows, SearchLimits limits, const Run& run);

/// The same for what a search makes of the points: `size` coordinates each, of so many bytes.
void plan_search(Index rows, double coordinates, double bytes, const Run& run);

}  // namespace unroll
