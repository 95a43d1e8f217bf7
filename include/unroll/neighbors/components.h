#pragma once
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"
#include "unroll/neighbors/neighbors.h"

/// Which points hang together, from how many neighbours on they all do, and the shortest edges that make them.
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

/// How a graph grows together as every point takes more of its neighbours.
struct Connectivity {
  /// Entry k-1: components of the union graph of the first k neighbours of every point, for k = 1 .. the most a point
  /// has.
  std::vector<Index> components_for_k = {};
  std::optional<Index> smallest_connecting_k = {};  ///< none: more neighbours than the graph has are needed
};

/// All k at once, from one spanning forest: an edge weighs its place in its point's row, and edges are joined by
/// ascending weight (Kruskal 1956). In a graph of fixed radius, too, k counts places: points with fewer neighbours
/// than k have them all.
UNROLL_API Connectivity connectivity(const NeighborGraph& nearest);

/// The same, and where the graph's neighbours do not connect all points, with twice as many again and again until they
/// do, as long as the graph keeps below two million edges. `nearest` is the graph of the points under the options.
UNROLL_API Connectivity connectivity(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options,
                                     const Run& run = {});

/// An edge without direction: first < second.
struct JoiningEdge {
  Index first = 0;
  Index second = 0;
  double distance = 0;
  bool operator==(const JoiningEdge&) const = default;
};

/// The shortest edges that join all components into one: a minimum spanning tree of the components, two of which are as
/// far apart as their nearest points (Boruvka 1926). Exact; shortest first, ties by lower indices. Of the options
/// `metric` and `p` count.
UNROLL_API std::vector<JoiningEdge> connecting_edges(PointsView points, const Components& components,
                                                     const NeighborOptions& options = {}, const Run& run = {});

/// The union of the graph, its edges taken both ways, and these edges.
UNROLL_API NeighborGraph connect(const NeighborGraph& graph, const std::vector<JoiningEdge>& edges);

}  // namespace unroll
