#pragma once
#include <cstdint>

#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The recall that an approximate search reached.
struct ApproximateResult {
  double recall = 0;  ///< on a sample of the points
  Index sample = 0;
};

/// The `count` nearest of each point of a Euclidean form, nearly all of them right. Trees that split by random
/// projections propose the points of a common leaf, rounds propose neighbours of neighbours, and true distances rank
/// the best candidates. Deterministic for a seed. Rounds continue until the recall on a sample, measured against the
/// exact search, reaches `recall`, or until they do not help any more.
ApproximateResult approximate_search(const MetricRows& rows, Metric metric, Index count, double recall,
                                     std::uint64_t seed, NeighborGraphBuilder& out, const Run& run);

}  // namespace unroll
