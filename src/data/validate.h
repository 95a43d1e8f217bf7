#pragma once
#include <string_view>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The result of one pass over the data.
struct DataSummary {
  double max_abs = 0;
};

/// The check that all input passes: throws InvalidData for fewer than `min_rows` points, no features, NaN or infinity
/// (with the first place, and how many). `what` names the table in the message.
DataSummary check_points(PointsView points, Index min_rows, const Run& run, std::string_view what = "X");

/// Throws InvalidData unless a matrix of distances has as many columns as rows.
void check_square_distances(Index rows, Index cols);
/// Throws InvalidData for fewer points than that.
void check_count(Index points, Index min_points);

}  // namespace unroll
