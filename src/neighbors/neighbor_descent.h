#pragma once
#include "neighbors/candidate_lists.h"
#include "neighbors/sketch_floats.h"
#include "unroll/core/run.h"

namespace unroll {

/// One round of "a neighbour of a neighbour is likely a neighbour" (Dong, Moses & Li 2011): for every point, the
/// candidates are the nearest `reach` in the lists of its neighbours and of the points that have it in their lists.
/// Every point reads the lists as they were before the round and writes its own, so the result does not depend on the
/// order. Returns how many candidates entered.
Index descend_neighbors(const SketchFloats& points, Index reach, CandidateLists& lists, const Run& run);

}  // namespace unroll
