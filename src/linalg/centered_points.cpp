#include "linalg/centered_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "linalg/sparse_products.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

Index rows_per_block(Index cols) { return std::clamp<Index>((Index{1} << 18U) / std::max<Index>(cols, 1), 16, 4096); }

double largest_magnitude(PointsView points, const Run& run) {
  return points.visit([&](auto x) {
    return parallel_reduce(
        run, x.rows, rows_per_block(x.cols), 0.0,
        [&](Index begin, Index end) {
          auto largest = decltype(*x.data + 0){0};
          for (Index i = begin; i < end; ++i)
            for (Index j = 0; j < x.cols; ++j) largest = std::max(largest, std::abs(x.row(i)[j]));
          return static_cast<double>(largest);
        },
        [](double a, double b) { return std::max(a, b); });
  });
}

struct Statistics {
  std::vector<double> sum, low, high;
  bool on_grid = true;

  Statistics() = default;
  explicit Statistics(std::size_t cols)
      : sum(cols),
        low(cols, std::numeric_limits<double>::infinity()),
        high(cols, -std::numeric_limits<double>::infinity()) {}
};

Statistics merged(Statistics a, const Statistics& b) {
  for (std::size_t j = 0; j < a.sum.size(); ++j) {
    a.sum[j] += b.sum[j];
    a.low[j] = std::min(a.low[j], b.low[j]);
    a.high[j] = std::max(a.high[j], b.high[j]);
  }
  a.on_grid = a.on_grid && b.on_grid;
  return a;
}

/// Sums z - (first row), so that an offset common to all points costs no digits.
Statistics column_statistics(PointsView points, double scale, const std::vector<double>& shift, const Run& run) {
  const auto cols = static_cast<std::size_t>(points.cols());
  // At most 64 pieces: each has its own D sums.
  const Index grain = std::max(rows_per_block(points.cols()), block_count(points.rows(), 64));
  return points.visit([&](auto x) {
    using T = std::remove_cvref_t<decltype(*x.data)>;
    return parallel_reduce(
        run, x.rows, grain, Statistics(cols),
        [&](Index begin, Index end) {
          Statistics part(cols);
          simd::ColumnStatistics out{part.sum.data(), part.low.data(), part.high.data(), true};
          simd::kernels().of<T>().column_statistics(x.row(begin), x.stride, end - begin, x.cols, scale, shift.data(),
                                                    &out);
          part.on_grid = out.on_grid;
          return part;
        },
        merged);
  });
}

}  // namespace

double unit_scale(double largest) {
  if (largest == 0) return 1;
  constexpr int kMostExponent = 1000;
  return std::ldexp(1.0, -std::clamp(std::ilogb(largest) + 1, -kMostExponent, kMostExponent));
}

CenteredPoints centered(PointsView points, const Run& run) {
  if (points.is_sparse()) return centered_sparse(points.sparse(), run);
  CenteredPoints z{.points = points, .scale = unit_scale(largest_magnitude(points, run))};
  std::vector<double> first(static_cast<std::size_t>(points.cols()));
  points.visit([&](auto x) {
    for (Index j = 0; j < x.cols; ++j) first[static_cast<std::size_t>(j)] = z.scale * static_cast<double>(x(0, j));
  });
  Statistics statistics = column_statistics(points, z.scale, first, run);
  z.center = std::move(statistics.sum);
  for (std::size_t j = 0; j < first.size(); ++j)
    z.center[j] = first[j] + z.center[j] / static_cast<double>(points.rows());
  z.low = std::move(statistics.low);
  z.high = std::move(statistics.high);
  z.on_grid = statistics.on_grid;
  return z;
}

void CenteredPoints::pack(Index first, Index count, Index first_col, Index col_count, double* out) const {
  if (points.is_sparse()) return pack_sparse(*this, first, count, first_col, col_count, out);
  points.visit([&](auto x) {
    using T = std::remove_cvref_t<decltype(*x.data)>;
    simd::kernels().of<T>().pack(x.row(first) + first_col, x.stride, count, col_count, scale, center.data() + first_col,
                                 out);
  });
}

void CenteredPoints::pack_float(Index first, Index count, double factor, const std::vector<double>& shift,
                                float* out) const {
  points.visit([&](auto x) {
    using T = std::remove_cvref_t<decltype(*x.data)>;
    simd::kernels().of<T>().pack_float(x.row(first), x.stride, count, x.cols, factor * scale, shift.data(), out);
  });
}

double squared_norm(const CenteredPoints& z, const Run& run) {
  if (z.points.is_sparse()) return sparse_squared_norm(z, run);
  return parallel_reduce(
      run, z.rows(), rows_per_block(z.cols()), 0.0,
      [&](Index begin, Index end) {
        Array2<double> row = Array2<double>::uninitialized(1, z.cols());
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
          z.pack(i, 1, row.data());
          double row_sum = 0;
          for (Index j = 0; j < z.cols(); ++j) row_sum += row(0, j) * row(0, j);
          sum += row_sum;
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

Array2<double> project(PointsView points, double scale, const std::vector<double>& center, const Array2<double>& axes,
                       const Run& run) {
  if (points.is_sparse()) return project_sparse(points.sparse(), scale, center, axes, run);
  const Index count = axes.rows(), cols = axes.cols(), panels = block_count(count, simd::kPanel);
  Array2<double> panelled(panels * cols, simd::kPanel);
  for (Index k = 0; k < count; ++k)
    for (Index j = 0; j < cols; ++j) panelled(k / simd::kPanel * cols + j, k % simd::kPanel) = axes(k, j);
  Array2<double> result = Array2<double>::uninitialized(points.rows(), count);
  points.visit([&](auto x) {
    using T = std::remove_cvref_t<decltype(*x.data)>;
    parallel_for(run, x.rows, rows_per_block(cols), [&](Index begin, Index end) {
      const Index width = panels * simd::kPanel;
      Array2<double> block = Array2<double>::uninitialized(end - begin, width);
      simd::kernels().of<T>().project(x.row(begin), x.stride, end - begin, cols, scale, center.data(), panelled.data(),
                                      panels, block.data());
      for (Index i = begin; i < end; ++i) std::copy_n(block.row(i - begin), count, result.row(i));
    });
  });
  return result;
}

}  // namespace unroll
