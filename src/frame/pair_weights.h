#pragma once
#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Weights of pairs of points, as a caller gives them.
namespace unroll {

/// Throws InvalidData unless there is a weight of at least 0 for every pair of n points, the same both ways.
void check_pair_weights(PointsView weights, Index n, const Run& run);

/// The same from both ends: the mean of entries that differ by rounding.
double pair_weight(PointsView weights, Index i, Index j);

}  // namespace unroll
