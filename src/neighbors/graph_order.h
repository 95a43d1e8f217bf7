#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// Points in an order in which near ones, as the graph's edges go, are near, and groups of them.
struct GraphOrder {
  std::vector<Index> points;
  std::vector<Index> cuts;  ///< group g has the places [cuts[g], cuts[g + 1])
};

/// What spatial_order is for points with coordinates: breadth-first search from a point at the rim, cut in two halves,
/// and so on with the halves. (Cuthill and McKee 1969 stop at the first search, whose levels are long and thin; halves
/// of halves are compact.) Components stay together.
/// As long as a part weighs more than `group`, it is cut at a multiple of that weight: this makes the groups. Weights
/// are from 0 to `group`, one per point.
GraphOrder graph_order(const NeighborGraph& graph, const std::vector<Index>& weights, Index group, const Run& run);

}  // namespace unroll
