#pragma once
#include "core/method_fit.h"
#include "layout/unfolding_layout.h"
#include "neighbors/neighbor_pairs.h"
#include "sources/path_embedding.h"
#include "unroll/core/input.h"

/// The steps of maximum variance unfolding beside its optimiser.
namespace unroll {

/// The pairs whose distances are kept, times graph.scale. Throws OutOfMemory if the optimiser does not fit with a
/// factor of so many columns.
NeighborPairs unfolding_pairs(const Input& input, const PathGraph& graph, Index rank, const Run& run);

/// What is reported of the map: the spectrum of K, the certificate, and warnings.
void report_unfolding(UnfoldingLayout& layout, const PathGraph& graph, const UnfoldingSettings& settings,
                      Embedding& embedding, const Run& run);

}  // namespace unroll
