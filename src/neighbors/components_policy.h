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

/// How a graph of nearest neighbours becomes one that is symmetric and, if so wished, connected.
struct GraphPolicy {
  ComponentsPolicy components = ComponentsPolicy::Keep;
  Symmetrization symmetrization = Symmetrization::Union;
  bool can_separate = true;              ///< the method knows components=separate: it may be recommended
  std::optional<std::string> hint = {};  ///< what to do about components that have not to do with who is near whom
};

/// A neighbour graph as the policy leaves it.
struct ConnectedGraph {
  NeighborGraph graph = {};               ///< symmetric; with the joining edges
  Components components = {};             ///< of `graph`: one, unless they are kept apart
  std::vector<JoiningEdge> joining = {};  ///< edges that were added
  std::vector<Warning> warnings = {};
};

/// `graph` is what the rule of symmetry made of `nearest`, the graph of `points` under `options`. Without points (a
/// sparse matrix of distances) nothing can be joined. Throws Disconnected where the policy, or the lack of points,
/// demands it.
ConnectedGraph resolve_components(const GraphPolicy& policy, NeighborGraph graph, const NeighborGraph& nearest,
                                  std::optional<PointsView> points, const NeighborOptions& options, const Run& run);

/// The points of every component, ascending, and every point's number among those of its own.
struct ComponentPoints {
  explicit ComponentPoints(const Components& components);
  std::vector<std::vector<Index>> members;
  std::vector<Index> number;
};

/// The part of a graph that the points of one component are (ascending), renumbered in their order.
NeighborGraph subgraph(const NeighborGraph& graph, const std::vector<Index>& points);

/// The warning of maps side by side that `what` ("the spectrum is") is that of one of them.
Warning largest_component(std::string_view what, Index points, bool is_largest = true);

/// Offsets along the first axis that put the maps of the components side by side, a tenth of the widest apart.
std::vector<double> side_by_side(const Array2<double>& coordinates, const Components& components);

}  // namespace unroll
