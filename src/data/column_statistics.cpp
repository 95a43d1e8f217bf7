#include "data/column_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace unroll {
namespace {

std::size_t size_of(PointsView points) { return static_cast<std::size_t>(points.cols()); }

std::vector<double> column_scales(const ColumnRanges& ranges) {
  std::vector<double> scales(ranges.low.size());
  for (std::size_t j = 0; j < scales.size(); ++j)
    scales[j] = power_of_two_scale(std::max(std::abs(ranges.low[j]), std::abs(ranges.high[j])));
  return scales;
}

/// Per column: sums of x scale - origin and of its square, over all rows. Blocks are added in order.
struct Moments {
  std::vector<double> sum;
  std::vector<double> squares;
};
Moments moments_around(PointsView points, const std::vector<double>& scale, const std::vector<double>& origin,
                       const Run& run) {
  const std::size_t cols = size_of(points);
  return points.visit([&](auto x) {
    return parallel_reduce(
        run, x.rows, rows_per_block(x.cols), Moments{std::vector<double>(cols), std::vector<double>(cols)},
        [&](Index begin, Index end) {
          Moments part{std::vector<double>(cols), std::vector<double>(cols)};
          for (Index i = begin; i < end; ++i) {
            const auto* row = x.row(i);
            for (std::size_t j = 0; j < cols; ++j) {
              const double distance = static_cast<double>(row[j]) * scale[j] - origin[j];
              part.sum[j] += distance;
              part.squares[j] += distance * distance;
            }
          }
          return part;
        },
        [cols](Moments total, const Moments& part) {
          for (std::size_t j = 0; j < cols; ++j) {
            total.sum[j] += part.sum[j];
            total.squares[j] += part.squares[j];
          }
          return total;
        });
  });
}

}  // namespace

Index rows_per_block(Index cols) {
  constexpr Index kEntries = Index{1} << 20;
  return std::clamp<Index>(kEntries / std::max<Index>(cols, 1), 64, 1024);
}

double power_of_two_scale(double max_abs) {
  // Limited to 2^+-1000, where the scale and its reciprocal are normal numbers and squares of scaled values are finite.
  return max_abs == 0 ? 1 : std::ldexp(1, -std::clamp(std::ilogb(max_abs), -1000, 1000));
}

ColumnRanges column_ranges(PointsView points, const Run& run) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::size_t cols = size_of(points);
  const ColumnRanges empty{std::vector<double>(cols, kInfinity), std::vector<double>(cols, -kInfinity)};
  return points.visit([&](auto x) {
    return parallel_reduce(
        run, x.rows, rows_per_block(x.cols), empty,
        [&](Index begin, Index end) {
          ColumnRanges part = empty;
          for (Index i = begin; i < end; ++i) {
            const auto* row = x.row(i);
            for (std::size_t j = 0; j < cols; ++j) {
              part.low[j] = std::min(part.low[j], static_cast<double>(row[j]));
              part.high[j] = std::max(part.high[j], static_cast<double>(row[j]));
            }
          }
          return part;
        },
        [cols](ColumnRanges all, const ColumnRanges& part) {
          for (std::size_t j = 0; j < cols; ++j) {
            all.low[j] = std::min(all.low[j], part.low[j]);
            all.high[j] = std::max(all.high[j], part.high[j]);
          }
          return all;
        });
  });
}

std::vector<double> column_means(PointsView points, const ColumnRanges& ranges, const Run& run) {
  const std::vector<double> scale = column_scales(ranges);
  // Around the middle of the range: a far offset costs no digits, and a constant column sums zeros.
  std::vector<double> middle(scale.size());
  for (std::size_t j = 0; j < scale.size(); ++j)
    middle[j] = (ranges.low[j] * scale[j]) / 2 + (ranges.high[j] * scale[j]) / 2;
  const Moments moments = moments_around(points, scale, middle, run);
  std::vector<double> means(scale.size());
  for (std::size_t j = 0; j < scale.size(); ++j)
    means[j] = (middle[j] + moments.sum[j] / static_cast<double>(points.rows())) / scale[j];
  return means;
}

std::vector<double> column_deviations(PointsView points, const ColumnRanges& ranges, const std::vector<double>& means,
                                      const Run& run) {
  const std::vector<double> scale = column_scales(ranges);
  std::vector<double> origin(scale.size());
  for (std::size_t j = 0; j < scale.size(); ++j) origin[j] = means[j] * scale[j];
  const Moments moments = moments_around(points, scale, origin, run);
  const auto n = static_cast<double>(points.rows());
  std::vector<double> deviations(scale.size());
  for (std::size_t j = 0; j < scale.size(); ++j) {
    if (ranges.low[j] == ranges.high[j]) continue;
    // The corrected two-pass formula (Chan, Golub, LeVeque 1983): the second term removes the rounding of the mean.
    const double variance = (moments.squares[j] - moments.sum[j] * moments.sum[j] / n) / n;
    deviations[j] = std::max(std::sqrt(variance) / scale[j], std::numeric_limits<double>::denorm_min());
  }
  return deviations;
}

}  // namespace unroll
