#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The points in the order of the leaves of a balanced k-d tree (neighbors/median_split.h): points near in space are
/// near in memory. Every node is split across its coordinate of largest variance.
std::vector<Index> spatial_order(MatrixView<double> coordinates, Index leaf, const Run& run);

}  // namespace unroll
