#pragma once
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/matrices.h"
#include "unroll/core/model.h"

/// The closed forms of label propagation and spreading, by elimination in long double.
namespace unroll {

using LongMatrix = std::vector<std::vector<long double>>;

/// A^-1 B, with pivoting.
inline LongMatrix solved(LongMatrix a, LongMatrix b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const long double factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      for (std::size_t c = 0; c < b[i].size(); ++c) b[i][c] -= factor * b[k][c];
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (long double& value : b[k]) value /= a[k][k];
  return b;
}

inline Array2<double> with_sum_one(const LongMatrix& rows) {
  Array2<double> result(std::ssize(rows), std::ssize(rows.front()));
  for (Index i = 0; i < result.rows(); ++i) {
    long double sum = 0;
    for (const long double value : rows[static_cast<std::size_t>(i)]) sum += value;
    for (Index c = 0; c < result.cols(); ++c)
      result(i, c) = static_cast<double>(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)] / sum);
  }
  return result;
}

/// (I - alpha S)^-1 Y, rows scaled to the sum 1; labels are 0 .. classes - 1, or -1.
inline Array2<double> spread_exactly(const Array2<double>& w, const std::vector<std::int64_t>& labels, double alpha,
                                     std::size_t classes) {
  const std::size_t n = labels.size();
  std::vector<long double> degrees(n);
  LongMatrix a(n, std::vector<long double>(n)), y(n, std::vector<long double>(classes));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) degrees[i] += w(static_cast<Index>(i), static_cast<Index>(j));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      a[i][j] = (i == j ? 1 : 0) -
                alpha * w(static_cast<Index>(i), static_cast<Index>(j)) / std::sqrt(degrees[i] * degrees[j]);
    if (labels[i] >= 0) y[i][static_cast<std::size_t>(labels[i])] = 1;
  }
  return with_sum_one(solved(std::move(a), std::move(y)));
}

/// Labels stay, others are the mean of their neighbours.
inline Array2<double> propagated_exactly(const Array2<double>& w, const std::vector<std::int64_t>& labels,
                                         std::size_t classes) {
  const std::size_t n = labels.size();
  LongMatrix a(n, std::vector<long double>(n)), y(n, std::vector<long double>(classes));
  for (std::size_t i = 0; i < n; ++i) {
    if (labels[i] >= 0) {
      a[i][i] = y[i][static_cast<std::size_t>(labels[i])] = 1;
      continue;
    }
    for (std::size_t j = 0; j < n; ++j) {
      a[i][i] += w(static_cast<Index>(i), static_cast<Index>(j));
      a[i][j] -= w(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return with_sum_one(solved(std::move(a), std::move(y)));
}

inline double largest_difference(const Array2<double>& a, const Array2<double>& b) {
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

}  // namespace unroll
