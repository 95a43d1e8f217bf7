#pragma once
#include "neighbors/nearest_list.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The options for `n` points, checked: how many neighbours, how near.
Wanted resolve_wanted(const NeighborOptions& options, Index n);

/// Throws OutOfMemory where a graph of `rows` rows would not fit; nothing can be said of a radius in advance.
void plan_graph(Index rows, Wanted wanted, const Run& run);

}  // namespace unroll
