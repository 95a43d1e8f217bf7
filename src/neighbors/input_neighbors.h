#pragma once
#include <optional>

#include "unroll/core/input.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The neighbours of each point of the input: those given with it, or those that a search among points or distances
/// finds. Throws InvalidData if the given neighbours are too few or belong to other points.
Neighbors input_neighbors(const Input& input, const NeighborOptions& options, const Run& run);

/// The points or all their distances; none for a sparse matrix.
std::optional<PointsView> full_values(const Input& input);

}  // namespace unroll
