#pragma once
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"

namespace unroll {

/// All distances from some rows to others, by RowDistance; a row per row of `from`.
Array2<double> distance_matrix(const MetricRows& from, const MetricRows& to, const NeighborOptions& options,
                               const Run& run);

/// All distances between some rows: each pair is computed once.
Array2<double> distance_matrix(const MetricRows& rows, const NeighborOptions& options, const Run& run);

}  // namespace unroll
