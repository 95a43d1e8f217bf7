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

/// What the methods' options say of neighbourhoods.
struct NeighborhoodOptions {
  NeighborOptions neighbors = {};
  ComponentsPolicy components = ComponentsPolicy::Separate;
};

/// How many neighbours a method cannot do without, and why, as its error goes on.
struct MinNeighbors {
  Index count = 1;
  std::string reason = {};
};

/// The points to which each point is fitted, as the policy leaves them.
struct Neighborhoods {
  NeighborOptions search = {};  ///< as they were looked for
  /// Directed, nearest first: k nearest or all within the radius; under `connect` the ends of joining edges have each
  /// other besides.
  NeighborGraph graph = {};
  Components components = {};        ///< an edge joins its ends whichever way it points
  Index joining = 0;                 ///< edges that were added to make components one
  std::vector<bool> collapsed = {};  ///< per component: all its points are one
  Attributes attributes = {};
  std::vector<Warning> warnings = {};
};

/// Throws InvalidData where all points are the same, and Disconnected where the policy demands it. Without n_neighbors
/// and radius all entries of a sparse matrix are neighbours.
Neighborhoods find_neighborhoods(const Input& input, const NeighborhoodOptions& options, const Run& run);

}  // namespace unroll
