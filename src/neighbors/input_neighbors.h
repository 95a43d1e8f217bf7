#pragma once
#include <optional>

#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The neighbours of each point of the input: those that came with it, or those that a search among points or
/// distances finds. Throws InvalidData where neighbours that came with it are too few or of other points.
Neighbors input_neighbors(const Input& input, const NeighborOptions& options, const Run& run);

/// Points or all their distances; none where a sparse matrix is all there is.
std::optional<PointsView> full_values(const Input& input);

}  // namespace unroll
