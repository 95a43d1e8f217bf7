#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/input.h"
#include "unroll/core/model.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// What the methods' options say about neighbourhoods.
struct NeighborhoodOptions {
  NeighborOptions neighbors = {};
  ComponentsPolicy components = ComponentsPolicy::Separate;
};

/// The smallest number of neighbours that a method can use, and the reason for the error message.
struct MinNeighbors {
  Index count = 1;
  std::string reason = {};
};

/// The neighbours to which each point is fitted, after the components policy.
struct Neighborhoods {
  NeighborOptions search = {};  ///< how neighbours were searched
  /// Directed, nearest first: k nearest or all within the radius; under `connect` also the ends of joining edges.
  NeighborGraph graph = {};
  Components components = {};        ///< an edge joins its ends whichever way it points
  Index joining = 0;                 ///< edges that were added to join components
  std::vector<bool> collapsed = {};  ///< per component: all its points coincide
  Attributes attributes = {};
  std::vector<Warning> warnings = {};
};

/// Throws InvalidData if all points are the same, and Disconnected if the policy demands it. Without n_neighbors and
/// radius all entries of a sparse matrix are neighbours.
Neighborhoods find_neighborhoods(const Input& input, const NeighborhoodOptions& options, const Run& run);

}  // namespace unroll
