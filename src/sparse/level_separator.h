#pragma once
#include "sparse/separator_graph.h"

namespace unroll {

/// A separator in a hundredth of the time of find_separator, for a first cut of a graph whose vertices come breadth
/// first: the last one lies far out, and the vertices that are equally far from it form a level. One about the middle
/// is taken and refined.
Separation separate_by_levels(const SeparatorGraph& graph);

}  // namespace unroll
