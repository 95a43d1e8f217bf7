#pragma once
#include <string_view>

#include "graph/weighted_graph.h"

namespace unroll {

/// Throws InvalidOption for a Laplacian that is not symmetric, OutOfMemory if the n^2 entries do not fit.
void check_kernel(const WeightedGraph& graph, Laplacian laplacian, const Run& run);

/// Replaces a matrix by the mean of itself and its transpose.
void make_symmetric(Array2<double>& m);

}  // namespace unroll
