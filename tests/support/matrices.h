#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/matrix_copies.h"
#include "core/random.h"
#include "unroll/core/types.h"

/// Matrices for tests and ways to compare them.
namespace unroll {

inline Array2<double> normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  const Random random(seed, "test");
  Array2<double> a(rows, cols);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return a;
}

/// Normal points whose features have different variances, 0.7^j, so that principal axes are well separated.
inline Array2<double> anisotropic_points(Index rows, Index cols, std::uint64_t seed) {
  Array2<double> x = normal_matrix(rows, cols, seed);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) x(i, j) *= std::pow(0.7, static_cast<double>(j));
  return x;
}

inline Array2<float> as_float(const Array2<double>& a) {
  Array2<float> b(a.rows(), a.cols());
  std::transform(a.data(), a.data() + a.size(), b.data(), [](double v) { return static_cast<float>(v); });
  return b;
}

inline double max_abs(const Array2<double>& a) {
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i]));
  return largest;
}

/// Largest entry of |a - b| relative to the largest of |b|.
inline double relative_difference(const Array2<double>& a, const Array2<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  const double scale = max_abs(b);
  return scale == 0 ? largest : largest / scale;
}

/// The same when columns may have changed sign.
inline double difference_up_to_sign(Array2<double> a, const Array2<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  for (Index k = 0; k < a.cols(); ++k) {
    double dot = 0;
    for (Index i = 0; i < a.rows(); ++i) dot += a(i, k) * b(i, k);
    if (dot < 0)
      for (Index i = 0; i < a.rows(); ++i) a(i, k) = -a(i, k);
  }
  return relative_difference(a, b);
}

/// a b, plainly.
inline Array2<double> product(const Array2<double>& a, const Array2<double>& b) {
  Array2<double> c(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k)
      for (Index j = 0; j < b.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// Largest entry of |Q Q^T - I| for vectors given as rows.
inline double orthogonality_error(const Array2<double>& q) {
  const Array2<double> g = product(q, transposed(q));
  double largest = 0;
  for (Index i = 0; i < g.rows(); ++i)
    for (Index j = 0; j < g.cols(); ++j) largest = std::max(largest, std::abs(g(i, j) - (i == j ? 1 : 0)));
  return largest;
}

/// Largest entry of |P - Q| for the projectors on the row spaces of orthonormal rows.
inline double subspace_difference(const Array2<double>& a, const Array2<double>& b) {
  const Array2<double> p = product(transposed(a), a), q = product(transposed(b), b);
  double largest = 0;
  for (Index i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(p.data()[i] - q.data()[i]));
  return largest;
}

/// An orthogonal matrix from Gram-Schmidt on normal columns.
inline Array2<double> rotation(Index n, std::uint64_t seed) {
  Array2<double> q = normal_matrix(n, n, seed);
  for (Index k = 0; k < n; ++k) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index m = 0; m < k; ++m) {
        double dot = 0;
        for (Index i = 0; i < n; ++i) dot += q(k, i) * q(m, i);
        for (Index i = 0; i < n; ++i) q(k, i) -= dot * q(m, i);
      }
    }
    double norm = 0;
    for (Index i = 0; i < n; ++i) norm += q(k, i) * q(k, i);
    for (Index i = 0; i < n; ++i) q(k, i) /= std::sqrt(norm);
  }
  return q;
}

}  // namespace unroll
