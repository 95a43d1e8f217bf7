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

/// The `count` nearest of each point of a Euclidean form, nearly all of them right. Points are divided into cells, as
/// by k-means. A point is compared with the cells that its neighbours may be in, in the leading coordinates of a
/// sketch; then true distances rank its best candidates. How far to look, and how many candidates to keep, follows from
/// the true neighbours of a sample: as much as the sample needs for the share `recall` of them, and no more.
/// Deterministic for a seed.
ApproximateResult approximate_search(const MetricRows& rows, Metric metric, Index count, double recall,
                                     std::uint64_t seed, NeighborGraphBuilder& out, const Run& run);

}  // namespace unroll
