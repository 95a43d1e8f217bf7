#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// Statistics of the columns of a table of finite numbers, in double, accurate for any scale and offset: each column is
/// scaled by a power of two, which is exact, before anything is summed or squared.
namespace unroll {

/// Rows per block of a pass over the table: enough to hide the cost of a block, few enough that the partial results of
/// all blocks are small beside the table.
Index rows_per_block(Index cols);

struct ColumnRanges {
  std::vector<double> low;
  std::vector<double> high;
};
UNROLL_API ColumnRanges column_ranges(PointsView points, const Run& run);

/// Means, exact for constant columns.
UNROLL_API std::vector<double> column_means(PointsView points, const ColumnRanges& ranges, const Run& run);

/// Standard deviations with divisor n around the means; 0 for constant columns and for no others.
UNROLL_API std::vector<double> column_deviations(PointsView points, const ColumnRanges& ranges,
                                                 const std::vector<double>& means, const Run& run);

/// A power of two, itself far from overflow and underflow, that brings |x| = max_abs near 1; 1 for 0.
double power_of_two_scale(double max_abs);

}  // namespace unroll
