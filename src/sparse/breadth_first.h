#pragma once
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// The vertices of a graph in an order in which neighbours are near each other: breadth first from the first vertex,
/// then from the first that has not been met, and so on. Vertex v has the neighbours [offsets[v], offsets[v + 1]).
std::vector<Index> breadth_first_order(const std::vector<Index>& offsets, const std::vector<Index>& neighbors);

}  // namespace unroll
