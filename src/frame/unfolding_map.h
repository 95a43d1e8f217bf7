#pragma once
#include "core/method_fit.h"
#include "layout/layout_start.h"
#include "layout/unfolding_layout.h"
#include "neighbors/neighbor_pairs.h"
#include "sources/path_embedding.h"
#include "unroll/core/input.h"
#include "unroll/layout/layout_start.h"

/// The steps of maximum variance unfolding beside its optimiser.
namespace unroll {

/// The pairs whose distances are kept, times graph.scale. Throws OutOfMemory if the optimiser does not fit with a
/// factor of so many columns.
NeighborPairs unfolding_pairs(const Input& input, const PathGraph& graph, Index rank, const Run& run);

/// Columns of the factor to begin with: some more than the map has, since fewer may have saddles.
Index starting_rank(Index n_components, Index points);

/// Where the factor starts, in units of the pairs: as init says, by default at classical scaling of the path lengths
/// from landmarks, for every component by itself.
StartedMap unfolding_start(const Input& input, const PathGraph& graph, const NeighborPairs& pairs, LayoutStart init,
                           Index n_components, std::uint64_t seed, const Run& run);

/// What is reported of the map: the spectrum of K, the certificate, and warnings.
void report_unfolding(UnfoldingLayout& layout, const PathGraph& graph, const UnfoldingSettings& settings,
                      Embedding& embedding, const Run& run);

}  // namespace unroll
