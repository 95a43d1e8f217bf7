#pragma once
#include <vector>

#include "core/method_fit.h"
#include "neighbors/components_policy.h"
#include "spectral/source.h"
#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

/// Maps of the lengths of shortest paths through a graph of neighbours.
namespace unroll {

/// The graph that paths lead through.
struct PathGraph {
  NeighborOptions search = {};  ///< how neighbours were searched
  Neighbors nearest = {};
  ConnectedGraph joined = {};  ///< symmetric, with the edges that join components; its lengths are scaled
  double scale = 1;            ///< takes the longest edge to at most 1

  Index size() const { return joined.graph.size(); }
  /// Whether lengths of paths are kept in float.
  bool is_single() const;
};

/// Joins every point to its neighbours; the policy decides what becomes of several components.
PathGraph path_graph(const Input& input, const NeighborOptions& search, ComponentsPolicy components, const Run& run);

/// Call it before the neighbour search: throws OutOfMemory if lengths from `from` points to all n do not fit.
void plan_paths(Index from, Index n, std::string_view advice, const Run& run);

/// Runs the row of the table on W = -g^2 / 2, g the lengths of shortest paths between all points.
MethodFit embed_paths(const Recipe& row, const Input& input, PathGraph graph, bool by_floyd_warshall,
                      SpectralSettings settings, const Run& run);
/// The same with g from landmarks only.
MethodFit embed_paths_from(const std::vector<Index>& landmarks, const Recipe& row, const Input& input, PathGraph graph,
                           SpectralSettings settings, const Run& run);

}  // namespace unroll
