#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// For every edge (i, j) of `graph`, in its order: the place of j among all points by their distance from i, from 1,
/// ties by index, i itself not counted. n x n distances are compared and never stored.
std::vector<Index> neighbor_ranks(PointsView points, const NeighborGraph& graph, const NeighborOptions& options,
                                  const Run& run);

}  // namespace unroll
