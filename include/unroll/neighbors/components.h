#pragma once
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

/// The connected components of a graph, the number of neighbours that connects all points, and the shortest edges that
/// do.
namespace unroll {

/// The connected parts of a graph, numbered in the order of their lowest points.
struct Components {
  std::vector<Index> labels = {};  ///< per point
  std::vector<Index> sizes = {};   ///< per component

  Index count() const { return static_cast<Index>(sizes.size()); }
  bool operator==(const Components&) const = default;
};

/// An edge joins its ends whichever way it points.
UNROLL_API Components connected_components(const NeighborGraph& graph);

/// The components of a graph as a function of the number of neighbours.
struct Connectivity {
  /// Entry k-1: the number of components of the union graph of every point's first k neighbours, for k = 1 .. the
  /// largest degree.
  std::vector<Index> components_for_k = {};
  std::optional<Index> smallest_connecting_k = {};  ///< none: more neighbours than the graph has are needed
};

/// All k at once, from one spanning forest: the weight of an edge is its place in its point's row, and edges join
/// components by ascending weight (Kruskal 1956). This also holds for a graph of fixed radius: points with fewer than k
/// neighbours use them all.
UNROLL_API Connectivity connectivity(const NeighborGraph& nearest);

/// The same. If the neighbours do not connect all points, their number is doubled until they do or the graph would have
/// two million edges. `nearest` is the graph of the points under the options.
UNROLL_API Connectivity connectivity(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options,
                                     const Run& run = {});

/// An edge without direction: first < second.
struct JoiningEdge {
  Index first = 0;
  Index second = 0;
  double distance = 0;
  bool operator==(const JoiningEdge&) const = default;
};

/// The shortest edges that join all components into one: a minimum spanning tree of the components, whose distance is
/// that of their nearest points (Boruvka 1926). Exact; shortest first, ties by lower indices. Only the options `metric`
/// and `p` count.
UNROLL_API std::vector<JoiningEdge> connecting_edges(PointsView points, const Components& components,
                                                     const NeighborOptions& options = {}, const Run& run = {});

/// The union of the graph, its edges taken both ways, and these edges.
UNROLL_API NeighborGraph connect(const NeighborGraph& graph, const std::vector<JoiningEdge>& edges);

}  // namespace unroll
