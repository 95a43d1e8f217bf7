#pragma once
#include <algorithm>
#include <cmath>

#include "unroll/core/types.h"

namespace unroll {

/// Euclidean distances from all rows of one to all rows of the other, plainly.
inline Array2<double> distances_from(const Array2<double>& from, const Array2<double>& to) {
  Array2<double> d(from.rows(), to.rows());
  for (Index i = 0; i < from.rows(); ++i)
    for (Index j = 0; j < to.rows(); ++j) {
      double sum = 0;
      for (Index k = 0; k < to.cols(); ++k) sum += (from(i, k) - to(j, k)) * (from(i, k) - to(j, k));
      d(i, j) = std::sqrt(sum);
    }
  return d;
}

/// The same between all rows.
inline Array2<double> distances_between(const Array2<double>& x) { return distances_from(x, x); }

/// Rows [first, first + count).
inline Array2<double> rows_of(const Array2<double>& x, Index first, Index count) {
  Array2<double> part(count, x.cols());
  std::copy_n(x.row(first), part.size(), part.data());
  return part;
}

/// Pearson correlation of all distances in two maps.
inline double correlation_of_distances(const Array2<double>& a, const Array2<double>& b) {
  const Array2<double> da = distances_between(a), db = distances_between(b);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      const double u = da(i, j), v = db(i, j);
      ++n, x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
    }
  return (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
}

}  // namespace unroll
