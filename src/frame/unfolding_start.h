#pragma once
#include "layout/layout_start.h"
#include "neighbors/neighbor_pairs.h"
#include "sources/path_embedding.h"
#include "unroll/core/input.h"
#include "unroll/layout/layout_start.h"

namespace unroll {

/// Columns of the factor to begin with: some more than the map has, since fewer may have saddles.
Index starting_rank(Index n_components, Index points);

/// Where the factor starts, in units of the pairs: as init says, by default at classical scaling of the path lengths
/// from landmarks, for every component by itself.
StartedMap unfolding_start(const Input& input, const PathGraph& graph, const NeighborPairs& pairs, LayoutStart init,
                           Index n_components, std::uint64_t seed, const Run& run);

}  // namespace unroll
