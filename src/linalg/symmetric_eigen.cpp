#include "linalg/symmetric_eigen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/tridiagonal_eigen.h"
#include "unroll/core/error.h"

// LAPACK's Fortran interface; every argument is a pointer. The hidden string lengths are omitted, as is usual.
extern "C" {
void dsytrd_(const char* uplo, const int* n, double* a, const int* lda, double* d, double* e, double* tau, double* work,
             const int* lwork, int* info);
void dormtr_(const char* side, const char* uplo, const char* trans, const int* m, const int* n, const double* a,
             const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork, int* info);
}

namespace unroll {
namespace {

/// A = Q T Q^T: T, and Q as the reflections that LAPACK leaves in the matrix and in tau.
struct Reduction {
  Tridiagonal tridiagonal;
  std::vector<double> tau;
};

Reduction reduce(Array2<double>& matrix) {
  // dsymv of OpenBLAS 0.3.21 for Core2 and unknown CPUs reads up to 4 numbers beyond tau and beyond the work space.
  constexpr std::size_t kReadBeyond = 4;
  const BlasCall call;
  const int n = blas_size(matrix.rows()), query = -1;
  const auto size = static_cast<std::size_t>(n);
  Reduction r{{std::vector<double>(size), std::vector<double>(size)}, std::vector<double>(size + kReadBeyond)};
  auto& [d, e] = r.tridiagonal;
  double wanted = 0;
  int info = 0;
  dsytrd_("L", &n, matrix.data(), &n, d.data(), e.data(), r.tau.data(), &wanted, &query, &info);
  const int lwork = static_cast<int>(wanted);
  std::vector<double> work(static_cast<std::size_t>(wanted) + kReadBeyond);
  dsytrd_("L", &n, matrix.data(), &n, d.data(), e.data(), r.tau.data(), work.data(), &lwork, &info);
  return r;
}

/// Turns eigenvectors of T (rows) into those of A.
void map_back(const Array2<double>& reflections, const std::vector<double>& tau, Array2<double>& vectors) {
  const BlasCall call;
  const int n = blas_size(vectors.cols()), columns = blas_size(vectors.rows()), query = -1;
  double wanted = 0;
  int info = 0;
  dormtr_("L", "L", "N", &n, &columns, reflections.data(), &n, tau.data(), vectors.data(), &n, &wanted, &query, &info);
  std::vector<double> work(static_cast<std::size_t>(wanted));
  const int lwork = static_cast<int>(work.size());
  dormtr_("L", "L", "N", &n, &columns, reflections.data(), &n, tau.data(), vectors.data(), &n, work.data(), &lwork,
          &info);
}

/// The LAPACK part; `matrix` is overwritten.
EigenPairs solve(Array2<double>& matrix, const HowMany& how_many) {
  const SingleThreadedBlas guard;
  const Index n = matrix.rows();
  const Reduction reduction = reduce(matrix);
  EigenPairs pairs;
  pairs.values = eigenvalues(reduction.tridiagonal);
  const Index wanted = how_many(pairs.values);
  Index count = 0;
  while (count < wanted) count = end_of_group(pairs.values, count);  // a part of a group would be arbitrary
  if (count == 0) return pairs;
  std::optional<Array2<double>> vectors;
  if (4 * count <= n) vectors = leading_vectors_by_mrrr(reduction.tridiagonal, pairs.values, count);
  pairs.vectors = vectors ? *std::move(vectors) : leading_vectors_by_division(reduction.tridiagonal, count);
  map_back(matrix, reduction.tau, pairs.vectors);
  return pairs;
}

double norm(const double* x, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

std::vector<double> residuals(const Array2<double>& matrix, const EigenPairs& pairs, const Run& run) {
  const Index n = matrix.rows(), count = pairs.vectors.rows();
  double scale = 0;
  for (const double value : pairs.values) scale = std::max(scale, std::abs(value));
  std::vector<double> result(static_cast<std::size_t>(count));
  if (scale == 0) return result;
  const SingleThreadedBlas guard;
  constexpr Index kVectorsAtOnce = 16;
  parallel_for(run, count, kVectorsAtOnce, [&](Index begin, Index end) {
    Array2<double> product(end - begin, n);
    gemm(false, false, n, end - begin, n, 1.0, matrix.data(), n, pairs.vectors.row(begin), n, 0.0, product.data(), n);
    for (Index k = begin; k < end; ++k) {
      const auto at = static_cast<std::size_t>(k);
      for (Index i = 0; i < n; ++i) product(k - begin, i) -= pairs.values[at] * pairs.vectors(k, i);
      result[at] = norm(product.row(k - begin), n) / scale;
    }
  });
  return result;
}

void check_residuals(const EigenPairs& pairs) {
  const double rounding = 100 * std::sqrt(static_cast<double>(pairs.values.size())) * 0x1p-52;
  for (std::size_t k = 0; k < pairs.residuals.size(); ++k)
    if (!(pairs.residuals[k] <= rounding))
      throw Error(ErrorKind::NotConverged,
                  fmt::format("the dense eigensolver left a residual of {:.2g} in pair {}", pairs.residuals[k], k + 1));
}

void make_largest_entry_positive(double* x, Index n) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
  constexpr double kSlack = 1e-8;  // equal entries must not change places through rounding
  const double* pivot = std::find_if(x, x + n, [&](double v) { return std::abs(v) >= largest * (1 - kSlack); });
  if (pivot != x + n && *pivot < 0)
    for (Index i = 0; i < n; ++i) x[i] = -x[i];
}

/// Subtracts from x its components along the rows of q, twice for full orthogonality, and returns what is left of |x|.
double orthogonalize(double* x, const Array2<double>& q, Index rows, Index n) {
  for (int pass = 0; pass < 2; ++pass) {
    for (Index k = 0; k < rows; ++k) {
      double dot = 0;
      for (Index i = 0; i < n; ++i) dot += q(k, i) * x[i];
      for (Index i = 0; i < n; ++i) x[i] -= dot * q(k, i);
    }
  }
  return norm(x, n);
}

/// The coordinate axis that the chosen columns explain least: the first within the slack of the largest.
Index pivot_axis(const std::vector<double>& left) {
  constexpr double kSlack = 1e-8;
  const double largest = *std::max_element(left.begin(), left.end());
  return std::find_if(left.begin(), left.end(), [&](double v) { return v >= largest * (1 - kSlack); }) - left.begin();
}

/// An orthonormal basis of the span of rows [first, last) that depends on the span alone: columns of the projector P =
/// sum v v^T, chosen by pivoted Gram-Schmidt.
void canonical_basis(Array2<double>& vectors, Index first, Index last) {
  const Index n = vectors.cols(), size = last - first;
  Array2<double> group = Array2<double>::uninitialized(size, n);
  std::copy_n(vectors.row(first), size * n, group.data());
  std::vector<double> left(static_cast<std::size_t>(n));  // diagonal of P minus what the chosen columns explain
  for (Index k = 0; k < size; ++k)
    for (Index i = 0; i < n; ++i) left[static_cast<std::size_t>(i)] += group(k, i) * group(k, i);
  Array2<double> basis(size, n);
  for (Index chosen = 0; chosen < size; ++chosen) {
    const Index pivot = pivot_axis(left);
    double* q = basis.row(chosen);
    for (Index k = 0; k < size; ++k)
      for (Index i = 0; i < n; ++i) q[i] += group(k, pivot) * group(k, i);
    const double length = orthogonalize(q, basis, chosen, n);
    for (Index i = 0; i < n; ++i) {
      q[i] /= length;
      left[static_cast<std::size_t>(i)] = std::max(0.0, left[static_cast<std::size_t>(i)] - q[i] * q[i]);
    }
  }
  std::copy_n(basis.data(), size * n, vectors.row(first));
}

}  // namespace

Index end_of_group(const std::vector<double>& values, Index first) {
  const double scale = std::max(std::abs(values.front()), std::abs(values.back()));
  const double start = values[static_cast<std::size_t>(first)];
  const double gap = std::max(1e-8 * std::abs(start), 1e-14 * scale);
  Index last = first + 1;
  while (last < std::ssize(values) && std::abs(start - values[static_cast<std::size_t>(last)]) <= gap) ++last;
  return last;
}

void canonicalize(const std::vector<double>& values, Array2<double>& vectors) {
  const Index count = vectors.rows();
  for (Index first = 0; first < count;) {
    const Index last = std::min(count, end_of_group(values, first));
    if (last - first > 1) canonical_basis(vectors, first, last);
    first = last;
  }
  canonicalize_signs(vectors);
}

void canonicalize_signs(Array2<double>& vectors) {
  for (Index k = 0; k < vectors.rows(); ++k) make_largest_entry_positive(vectors.row(k), vectors.cols());
}

void orthonormalize_rows(Array2<double>& vectors, Index count) {
  const Index n = vectors.cols();
  for (Index k = 0; k < count; ++k) {
    double* v = vectors.row(k);
    const double length = norm(v, n);
    for (Index i = 0; i < n; ++i) v[i] /= length;  // first, so that tiny vectors keep their digits
    const double left = orthogonalize(v, vectors, k, n);
    for (Index i = 0; i < n; ++i) v[i] /= left;
  }
}

void complete_orthonormal(Array2<double>& vectors, Index first) {
  const Index n = vectors.cols();
  std::vector<double> left(static_cast<std::size_t>(n), 1.0);
  for (Index k = 0; k < vectors.rows(); ++k) {
    double* q = vectors.row(k);
    if (k >= first) {
      const Index pivot = pivot_axis(left);
      std::fill_n(q, n, 0.0);
      q[pivot] = 1;
      const double length = orthogonalize(q, vectors, k, n);
      for (Index i = 0; i < n; ++i) q[i] /= length;
      make_largest_entry_positive(q, n);
    }
    for (Index i = 0; i < n; ++i) {
      double& rest = left[static_cast<std::size_t>(i)];
      rest = std::max(0.0, rest - q[i] * q[i]);
    }
  }
}

EigenPairs leading_eigenpairs(const Array2<double>& matrix, const HowMany& how_many, const Run& run) {
  struct Work {
    Array2<double> matrix;
    EigenPairs pairs;
  };
  const auto work = std::make_shared<Work>();
  work->matrix = matrix;
  run_abandonable(run, "eigenvectors", [work, how_many] { work->pairs = solve(work->matrix, how_many); });
  EigenPairs pairs = std::move(work->pairs);
  pairs.residuals = residuals(matrix, pairs, run);
  check_residuals(pairs);
  return pairs;
}

}  // namespace unroll
