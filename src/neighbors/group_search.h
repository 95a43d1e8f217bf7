#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The nearest point of another group.
struct GroupNeighbor {
  Index index = -1;  ///< -1: all points are in one group
  double distance = 0;
};

/// For every query (a point's index) its nearest point of a group other than its own, ties by index. `group` has a
/// number per point. Exact; only the options `metric` and `p` count.
std::vector<GroupNeighbor> nearest_of_other_groups(PointsView points, const std::vector<Index>& group,
                                                   const std::vector<Index>& queries, const NeighborOptions& options,
                                                   const Run& run);

}  // namespace unroll
