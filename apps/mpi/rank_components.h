#pragma once
#include <vector>

#include "ranks.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll::cluster {

/// A rank's part of a graph of all ranks: rows of its points, whose ids ascend; neighbours are ids, too.
struct RankGraph {
  std::vector<Index> ids = {};
  NeighborGraph graph = {};
};

/// The components of the union graph for every number of neighbours, and of the whole graph.
struct RankComponents {
  Connectivity connectivity = {};
  std::vector<Index> sizes = {};   ///< of all components, in the order of their lowest points
  std::vector<Index> labels = {};  ///< of own points
};

/// As `connectivity` and `connected_components` find them in one process; collective.
///
/// The weight of an edge is its place in its row, and edges join components by ascending weight (Kruskal 1956). A rank
/// joins its own edges first. A set of points none of which is at the border, where edges to other ranks end, has all
/// of its edges here: its lightest edge to another set is in the forest of the whole graph, and is counted here. Where
/// both sets have points at the border, one of each stands for its set in an edge that the root gets. So the root sees
/// the border alone, in a tree per rank, and the edges that cross it.
RankComponents find_components(const Ranks& ranks, const RankGraph& own, Index n);

}  // namespace unroll::cluster
