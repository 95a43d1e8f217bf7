#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/components.h"
#include "unroll/spectral/components_policy.h"

namespace unroll {

/// How a graph of nearest neighbours becomes one that is symmetric and, if so wished, connected.
struct GraphPolicy {
  ComponentsPolicy components = ComponentsPolicy::Keep;
  Symmetrization symmetrization = Symmetrization::Union;
  bool can_separate = true;  ///< the method knows components=separate: it may be recommended
};

/// A neighbour graph as the policy leaves it.
struct PolicedGraph {
  NeighborGraph graph = {};               ///< symmetric, with the joining edges
  std::vector<double> shares = {};        ///< per edge, that of its weight which counts; empty: all of it
  Components components = {};             ///< of `graph`: one, unless they are kept apart
  std::vector<JoiningEdge> joining = {};  ///< edges that were added
  std::vector<Warning> warnings = {};
};

/// `nearest` is the graph of `points` under `options`; without points (a sparse matrix of distances) nothing can be
/// joined. Throws Disconnected where the policy, or the lack of points, demands it.
PolicedGraph apply_policy(const GraphPolicy& policy, const NeighborGraph& nearest, std::optional<PointsView> points,
                          const NeighborOptions& options, std::string_view who, const Run& run);

/// Under `Average`, for a graph of all edges of `nearest` and of joining ones: 1/2 for those that only one end has, 1 for
/// the others. Empty under other rules.
std::vector<double> edge_shares(Symmetrization rule, const NeighborGraph& nearest, const NeighborGraph& graph);

/// The part of a graph that one component is, with its points renumbered in their order.
NeighborGraph subgraph(const NeighborGraph& graph, const Components& components, Index component);

/// The points of a component, ascending.
std::vector<Index> members(const Components& components, Index component);

/// Offsets along the first axis that put the maps of the components side by side, a tenth of the widest apart.
std::vector<double> side_by_side(const Array2<double>& coordinates, const Components& components);

}  // namespace unroll
