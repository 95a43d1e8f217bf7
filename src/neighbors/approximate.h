#pragma once
#include <cstdint>

#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// What an approximate search reached.
struct ApproximateResult {
  double recall = 0;  ///< of a sample of the points
  Index sample = 0;
};

/// The `count` nearest of each point of a Euclidean form, nearly all of them right: trees that split by random
/// projections propose the points of a common leaf, the neighbours of neighbours are tried in rounds, and the best
/// candidates are judged in full. Deterministic for a seed. Rounds go on until the recall of a sample, which is
/// compared with the exact search, reaches `recall`, or until they do not help any more.
ApproximateResult approximate_search(const MetricRows& rows, Metric metric, Index count, double recall,
                                     std::uint64_t seed, NeighborGraphBuilder& out, const Run& run);

}  // namespace unroll
