#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// Points in an order in which neighbours in the graph are near each other, cut into groups.
struct GraphOrder {
  std::vector<Index> points;
  std::vector<Index> cuts;  ///< group g has the places [cuts[g], cuts[g + 1])
};

/// The counterpart of spatial_order for graphs: breadth-first search from a point at the boundary, cut in two halves,
/// and so on with the halves. (Cuthill and McKee 1969 stop at the first search, whose levels are long and thin; halves
/// of halves are compact.) Components stay together.
/// A part that weighs more than `group` is cut at a multiple of that weight, until the parts are the groups. Weights
/// are from 0 to `group`, one per point.
GraphOrder graph_order(const NeighborGraph& graph, const std::vector<Index>& weights, Index group, const Run& run);

}  // namespace unroll
