#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// The points in an order in which near ones, as the graph's edges go, are near: what spatial_order is for points that
/// have coordinates. Breadth-first search from a point at the rim, cut in half where half of the points are reached,
/// and so on with the halves. Components stay together. (Cuthill and McKee 1969 stop at the first search, whose levels
/// are thin and long; halves of halves are compact.)
std::vector<Index> graph_order(const NeighborGraph& graph, const Run& run);

}  // namespace unroll
