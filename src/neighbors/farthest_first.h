#pragma once
#include <vector>

#include "neighbors/pair_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Farthest-point traversal (Gonzalez 1985): `count` of the points `among`, the first of which is among[first], and
/// every next the farthest from those before it. Ties, and points on chosen ones when nothing else is left, go by their
/// order in `among`.
std::vector<Index> farthest_first(const std::vector<Index>& among, Index count, Index first,
                                  const PairDistance& distance, const Run& run);

}  // namespace unroll
