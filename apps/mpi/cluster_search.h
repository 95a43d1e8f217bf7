#pragma once
#include "neighbors/nearest_list.h"
#include "rank_points.h"
#include "ranks.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll::cluster {

/// Neighbours in many dimensions, where boxes exclude nothing: every point belongs to its few nearest of some centers,
/// a rank searches among the points of a center, and a point's candidates are merged. The result is the same at any
/// number of ranks. Collective; `own` are the slices of the table, whose neighbours are rows of all. Needs a metric of
/// Euclidean form and a number of neighbours.
NeighborGraph search_by_clusters(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options,
                                 Index n_neighbors, double scale, Index n, const Run& run);

/// The share of the true neighbours that were found, measured at a sample of the points: every rank finds their nearest
/// among its own, and the nearest of these are the true ones. A neighbour as near as the true last one counts.
struct MeasuredRecall {
  double recall = 1;
  Index sample = 0;
};
MeasuredRecall measure_recall(const Ranks& ranks, const RankPoints& own, const NeighborGraph& found,
                              const NeighborOptions& options, Index n_neighbors, double scale, Index n, const Run& run);

}  // namespace unroll::cluster
