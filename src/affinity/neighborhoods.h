#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/model.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/components_policy.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// What the methods' options say of neighbourhoods.
struct NeighborhoodOptions {
  std::string_view who = {};
  NeighborOptions neighbors = {};
  ComponentsPolicy components = ComponentsPolicy::Separate;
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
  Diagnostics diagnostics = {};
  std::vector<Warning> warnings = {};
};

/// Of points, or with metric = precomputed of a full matrix of distances. Throws InvalidData where all points are the
/// same, and Disconnected where the policy demands it.
Neighborhoods find_neighborhoods(PointsView points, const NeighborhoodOptions& options, const Run& run);
/// Of a sparse matrix of distances; without n_neighbors and radius all its entries are neighbours.
Neighborhoods find_neighborhoods(const SparseMatrix& distances, const NeighborhoodOptions& options, const Run& run);

}  // namespace unroll
