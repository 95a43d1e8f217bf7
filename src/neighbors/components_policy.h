#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/components_policy.h"

namespace unroll {

/// How a graph of nearest neighbours becomes symmetric and, on demand, connected.
struct GraphPolicy {
  ComponentsPolicy components = ComponentsPolicy::Keep;
  Symmetrization symmetrization = Symmetrization::Union;
  bool can_separate = true;              ///< the method has components=separate: it may be recommended
  std::optional<std::string> hint = {};  ///< advice, if the components do not come from the choice of neighbours
};

/// A neighbour graph as the policy leaves it.
struct ConnectedGraph {
  NeighborGraph graph = {};               ///< symmetric; with the joining edges
  Components components = {};             ///< of `graph`; one under `connect`
  std::vector<JoiningEdge> joining = {};  ///< edges that were added
  std::vector<Warning> warnings = {};
};

/// `graph` is what the rule of symmetry made of `nearest`, the graph of `points` under `options`. Without points (a
/// sparse matrix of distances) components cannot be connected. Throws Disconnected if the policy, or the lack of
/// points, demands it.
ConnectedGraph resolve_components(const GraphPolicy& policy, NeighborGraph graph, const NeighborGraph& nearest,
                                  std::optional<PointsView> points, const NeighborOptions& options, const Run& run);

/// The points of every component, ascending, and every point's place among those of its component.
struct ComponentPoints {
  explicit ComponentPoints(const Components& components);
  std::vector<std::vector<Index>> members;
  std::vector<Index> number;
};

/// The part of a graph with the points (ascending) of one component, renumbered in their order.
NeighborGraph subgraph(const NeighborGraph& graph, const std::vector<Index>& points);

/// The warning, for maps side by side, that `what` ("the spectrum is") belongs to one of them.
Warning largest_component(std::string_view what, Index points, bool is_largest = true);

/// Offsets along the first axis that put the maps of the components side by side, a tenth of the widest apart.
std::vector<double> side_by_side(const Array2<double>& coordinates, const Components& components);

}  // namespace unroll
