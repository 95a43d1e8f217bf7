#pragma once
#include <cstdint>

#include "neighbors/nearest_list.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Throws InvalidOption unless n_neighbors < n.
void check_n_neighbors(std::int64_t n_neighbors, Index n);

/// Checks the options for `n` points: how many neighbours, how near.
SearchLimits resolve_search_limits(const NeighborOptions& options, Index n);

/// Throws OutOfMemory if a graph of `rows` rows would not fit; for a radius the size is not known in advance.
void plan_graph(Index rows, SearchLimits limits, const Run& run);

/// The same for the search's own copy of the points: `coordinates` per point, of `bytes` each.
void plan_search(Index rows, double coordinates, double bytes, const Run& run);

}  // namespace unroll
