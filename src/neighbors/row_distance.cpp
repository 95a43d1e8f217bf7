#include "neighbors/row_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/sparse_points.h"
#include "data/column_statistics.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr Index kRowsPerBlock = 1024;

/// The shift and factor that give a row length one: y = (x - shift) * factor. Factor 0: the row has no direction.
struct UnitForm {
  double shift = 0;
  double factor = 0;
};

template <class T>
UnitForm unit_form(const T* row, Index n, bool center) {
  double largest = 0;
  for (Index j = 0; j < n; ++j) largest = std::max(largest, std::abs(static_cast<double>(row[j])));
  const double scale = power_of_two_scale(largest);  // for this row, so that no square vanishes or overflows
  // Relative to the first value, the mean of a constant row is exactly 0, however many values are summed.
  const double first = center ? scale * static_cast<double>(row[0]) : 0;
  double mean = 0;
  if (center) {
    for (Index j = 0; j < n; ++j) mean += scale * static_cast<double>(row[j]) - first;
    mean /= static_cast<double>(n);
  }
  double squares = 0;
  for (Index j = 0; j < n; ++j) {
    const double value = scale * static_cast<double>(row[j]) - first - mean;
    squares += value * value;
  }
  const double length = std::sqrt(squares);
  // A row that is constant up to rounding has no direction.
  const double rounding = center ? 4e-16 * std::sqrt(static_cast<double>(n)) * scale * largest : 0;
  return {(first + mean) / scale, length > rounding ? scale / length : 0};
}

void make_unit_rows(MetricRows& rows, bool center, const Run& run) {
  const auto n = static_cast<std::size_t>(rows.rows());
  rows.factor.resize(n);
  if (center) rows.shift.resize(n);
  const auto make = [&](Index count, const auto& form_of) {
    parallel_for(run, count, kRowsPerBlock, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const UnitForm form = form_of(i);
        rows.factor[static_cast<std::size_t>(i)] = form.factor;
        if (center) rows.shift[static_cast<std::size_t>(i)] = form.shift;
      }
    });
  };
  if (rows.points.is_sparse())
    return rows.points.sparse().visit([&](const auto& x) {
      make(x.rows, [&](Index i) { return unit_form(x.values + x.begin(i), x.end(i) - x.begin(i), false); });
    });
  rows.points.visit([&](auto x) { make(x.rows, [&](Index i) { return unit_form(x.row(i), x.cols, center); }); });
}

void check_sparse_metric(Metric metric) {
  if (metric == Metric::Euclidean || metric == Metric::Cosine) return;
  throw Error(ErrorKind::Unsupported,
              {.problem = fmt::format("metric={} is not for sparse points", name_of(metric)),
               .advice = "use euclidean or cosine, or reduce the points first with the option pca, e.g. pca=50",
               .option = "metric"});
}

/// Of the norm |x fx - y fy| of two sparse rows: its square.
template <class X, class Y>
double squared_norm_of_difference(const X& x, Index i, double fx, const Y& y, Index j, double fy) {
  double sum = 0;
  merge_rows(x, i, y, j, [&](double a, double b) {
    const double own = a * fx - b * fy;
    sum += own * own;
  });
  return sum;
}

template <class X, class Y>
double euclidean_distance(const X& x, Index i, const Y& y, Index j, double scale, double vanishing) {
  const double squared = squared_norm_of_difference(x, i, scale, y, j, scale);
  if (squared > vanishing) return std::sqrt(squared) / scale;
  double largest = 0;
  merge_rows(x, i, y, j, [&](double a, double b) { largest = std::max(largest, std::abs(a * scale - b * scale)); });
  if (largest == 0) return 0;
  const double unit = power_of_two_scale(largest);
  double sum = 0;
  merge_rows(x, i, y, j, [&](double a, double b) {
    const double share = (a * scale - b * scale) * unit;
    sum += share * share;
  });
  return std::sqrt(sum) / unit / scale;
}

void check_angles(PointsView points) {
  if (points.cols() != 2)
    throw Error(ErrorKind::InvalidData,
                fmt::format("metric=haversine needs two features, latitude and longitude in radians; the data have {}",
                            points.cols()));
}

double haversine(double lat1, double lon1, double lat2, double lon2) {
  const double lat = std::sin(0.5 * (lat1 - lat2));
  const double lon = std::sin(0.5 * (lon1 - lon2));
  // For latitudes beyond the poles, rounding may make the sum negative.
  return 2 * std::asin(std::sqrt(std::clamp(lat * lat + std::cos(lat1) * std::cos(lat2) * (lon * lon), 0.0, 1.0)));
}

template <class T>
double jaccard(const T* x, const T* y, Index n) {
  Index both = 0;
  Index either = 0;
  for (Index j = 0; j < n; ++j) {
    both += x[j] != 0 && y[j] != 0 ? 1 : 0;
    either += x[j] != 0 || y[j] != 0 ? 1 : 0;
  }
  return either == 0 ? 0 : static_cast<double>(either - both) / static_cast<double>(either);
}

template <class T>
double minkowski(const T* x, const T* y, Index n, double scale, double p) {
  // In units of about the largest difference, so that no power vanishes or overflows. Powers of two round nothing:
  // equal distances stay equal. Very high powers need the difference itself.
  constexpr double kHighPower = 500;
  const double largest = simd::kernels().pairs.of<T>().chebyshev(x, y, n, scale);
  if (largest == 0) return 0;
  const double unit = p > kHighPower ? 1 / largest : power_of_two_scale(largest);
  double sum = 0;
  for (Index j = 0; j < n; ++j)
    sum += std::pow(std::abs(static_cast<double>(x[j]) * scale - static_cast<double>(y[j]) * scale) * unit, p);
  return std::pow(sum, 1 / p) / unit;
}

}  // namespace

bool is_euclidean(Metric metric) {
  return metric == Metric::Euclidean || metric == Metric::Cosine || metric == Metric::Correlation;
}

bool has_unit(Metric metric) {
  return metric == Metric::Euclidean || metric == Metric::Manhattan || metric == Metric::Chebyshev ||
         metric == Metric::Minkowski;
}

void MetricRows::pack(Index i, double* out) const {
  const double s = shift_of(i);
  const double f = factor_of(i);
  points.visit([&](auto x) {
    const auto* row = x.row(i);
    for (Index j = 0; j < x.cols; ++j) out[j] = (static_cast<double>(row[j]) - s) * f;
  });
}

double metric_scale(PointsView points, const Run& run) {
  if (points.is_sparse()) return power_of_two_scale(largest_entry(points.sparse(), run));
  const ColumnRanges ranges = column_ranges(points, run);
  double largest = 0;
  for (const double low : ranges.low) largest = std::max(largest, std::abs(low));
  for (const double high : ranges.high) largest = std::max(largest, std::abs(high));
  return power_of_two_scale(largest);
}

MetricRows metric_rows(PointsView points, Metric metric, double scale, const Run& run) {
  if (points.is_sparse()) check_sparse_metric(metric);
  MetricRows rows{.points = points, .scale = scale};
  if (metric == Metric::Cosine || metric == Metric::Correlation)
    make_unit_rows(rows, metric == Metric::Correlation, run);
  if (metric == Metric::Haversine) check_angles(points);
  return rows;
}

Index rows_of_rounding(PointsView points, const Run& run) {
  constexpr double kRoundingOfScaling = 1e-12;  // relative: standardized numbers keep all but the last few digits
  return points.visit([&](auto x) {
    return parallel_reduce(
        run, x.rows, kRowsPerBlock, Index{0},
        [&](Index begin, Index end) {
          Index count = 0;
          for (Index i = begin; i < end; ++i) {
            const auto [low, high] = std::minmax_element(x.row(i), x.row(i) + x.cols);
            const double largest = std::max(std::abs(static_cast<double>(*low)), std::abs(static_cast<double>(*high)));
            const double spread = static_cast<double>(*high) / 2 - static_cast<double>(*low) / 2;
            if (spread > 0 && 2 * spread <= kRoundingOfScaling * largest) ++count;
          }
          return count;
        },
        [](Index a, Index b) { return a + b; });
  });
}

template <class T>
double RowDistance::euclidean(const T* x, const T* y) const {
  const auto& kernels = simd::kernels().pairs.of<T>();
  const Index n = left_.cols();
  const double scale = left_.scale;
  const double squared = kernels.squared(x, y, n, scale);
  if (squared > kVanishing) return std::sqrt(squared) / scale;
  const double largest = kernels.chebyshev(x, y, n, scale);
  if (largest == 0) return 0;
  const double unit = power_of_two_scale(largest);
  double sum = 0;
  for (Index j = 0; j < n; ++j) {
    const double share = (static_cast<double>(x[j]) * scale - static_cast<double>(y[j]) * scale) * unit;
    sum += share * share;
  }
  return std::sqrt(sum) / unit / scale;
}

template <class T>
double RowDistance::between(const T* x, const T* y, Index i, Index j) const {
  const auto& kernels = simd::kernels().pairs.of<T>();
  const Index n = left_.cols();
  const double scale = left_.scale;
  switch (metric_) {
    case Metric::Manhattan: return kernels.manhattan(x, y, n, scale) / scale;
    case Metric::Chebyshev: return kernels.chebyshev(x, y, n, scale) / scale;
    case Metric::Minkowski: return minkowski(x, y, n, scale, p_) / scale;
    case Metric::Hamming: return static_cast<double>(kernels.differing(x, y, n)) / static_cast<double>(n);
    case Metric::Jaccard: return jaccard(x, y, n);
    case Metric::Haversine:
      return haversine(static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(y[0]),
                       static_cast<double>(y[1]));
    case Metric::Cosine:
    case Metric::Correlation: {
      const double fx = left_.factor_of(i);
      const double fy = right_.factor_of(j);
      if (fx == 0 || fy == 0) return fx == fy ? 0 : 1;
      return 0.5 * kernels.squared_affine(x, left_.shift_of(i), fx, y, right_.shift_of(j), fy, n);
    }
    default: return euclidean(x, y);
  }
}

double RowDistance::between_sparse(Index i, Index j) const {
  return left_.points.sparse().visit([&]<class T, class P>(const CsrView<T, P>& x) {
    return right_.points.sparse().visit([&]<class U, class Q>(const CsrView<U, Q>& y) {
      // Queries have been converted to the type of the stored rows.
      if constexpr (!std::is_same_v<T, U>) {
        throw Error(ErrorKind::Internal, "rows of different scalar types are compared");
        return 0.0;
      } else {
        if (metric_ != Metric::Cosine) return euclidean_distance(x, i, y, j, left_.scale, kVanishing);
        const double fx = left_.factor_of(i), fy = right_.factor_of(j);
        if (fx == 0 || fy == 0) return fx == fy ? 0.0 : 1.0;
        return 0.5 * squared_norm_of_difference(x, i, fx, y, j, fy);
      }
    });
  });
}

double RowDistance::operator()(Index i, Index j) const {
  if (left_.points.is_sparse()) return between_sparse(i, j);
  return left_.points.visit([&]<class T>(MatrixView<T> x) {
    return right_.points.visit([&]<class U>(MatrixView<U> y) {
      // Queries have been converted to the type of the stored rows.
      if constexpr (std::is_same_v<T, U>) {
        return between(x.row(i), y.row(j), i, j);
      } else {
        throw Error(ErrorKind::Internal, "rows of different scalar types are compared");
        return 0.0;
      }
    });
  });
}

}  // namespace unroll
