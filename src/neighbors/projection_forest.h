#pragma once
#include <cstdint>

#include "neighbors/candidate_lists.h"
#include "neighbors/sketch_floats.h"
#include "unroll/core/run.h"

namespace unroll {

/// Enters, for every point, the points that share a leaf with it in tree number `tree` of a forest. Each node splits at
/// the median of the projections onto the difference of two random points of the node.
void add_tree_neighbors(const SketchFloats& points, std::uint64_t seed, Index tree, CandidateLists& lists,
                        const Run& run);

}  // namespace unroll
