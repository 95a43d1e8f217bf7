#pragma once
#include <vector>

#include "neighbors/pair_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Farthest-point traversal (Gonzalez 1985): `count` of the points `among`, starting with among[first]; each next one
/// is the farthest from those before it. Ties go by the order in `among`, and so do copies of chosen points when
/// nothing else is left.
std::vector<Index> farthest_first(const std::vector<Index>& among, Index count, Index first,
                                  const PairDistance& distance, const Run& run);

}  // namespace unroll
