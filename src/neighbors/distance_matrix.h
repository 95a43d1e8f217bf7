#pragma once
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"

namespace unroll {

/// All distances of some rows from others, by the one judge of distances; a row per row of `from`.
Array2<double> distance_matrix(const MetricRows& from, const MetricRows& to, const NeighborOptions& options,
                               const Run& run);

/// All distances of some rows from each other: each pair is measured once.
Array2<double> distance_matrix(const MetricRows& rows, const NeighborOptions& options, const Run& run);

}  // namespace unroll
