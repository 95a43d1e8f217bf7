#pragma once
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// The vertices of a graph in an order in which neighbors are near each other: breadth first from the first one, then
/// from the first that has not been met, ... Vertex v has neighbors [offsets[v], offsets[v + 1]).
std::vector<Index> breadth_first_order(const std::vector<Index>& offsets, const std::vector<Index>& neighbors);

}  // namespace unroll
