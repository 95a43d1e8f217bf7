#include "linalg/tall_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "simd/kernels.h"
#include "unroll/core/error.h"

// LAPACK's Fortran interface; every argument is a pointer.
extern "C" {
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* lwork, int* info);
}

namespace unroll {
namespace {

constexpr Index kRows = 4096;

/// X = Q R for one block of contiguous rows; R is written row-major. The block is transposed for LAPACK, whose loops
/// over rows of a few numbers would be too short.
void orthonormalize_block(double* x, Index rows, Index cols, double* r) {
  const BlasCall call;
  const int m = blas_size(rows), n = blas_size(cols), lwork = blas_size(64 * (cols + 1));
  std::vector<double> tau(static_cast<std::size_t>(cols)), work(static_cast<std::size_t>(lwork));
  Array2<double> q = Array2<double>::uninitialized(cols, rows);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) q(j, i) = x[i * cols + j];
  int info = 0;
  dgeqrf_(&m, &n, q.data(), &m, tau.data(), work.data(), &lwork, &info);
  for (Index i = 0; i < cols; ++i)
    for (Index j = 0; j < cols; ++j) r[i * cols + j] = j < i ? 0 : q(j, i);
  if (info == 0) dorgqr_(&m, &n, &n, q.data(), &m, tau.data(), work.data(), &lwork, &info);
  if (info != 0) throw Error(ErrorKind::Internal, fmt::format("QR failed with {}", info));
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) x[i * cols + j] = q(j, i);
}

/// X = Q R by the Cholesky factor R of X^T X, for columns that are far from dependent: the error of Q^T Q is the
/// square of the condition times rounding. X becomes Q and r becomes R r. Returns false and changes nothing if the
/// columns are nearly dependent.
bool orthonormalize_by_cholesky(Array2<double>& x, const simd::TallKernels& kernels, Array2<double>& r,
                                const Run& run) {
  constexpr double kIndependent = 1e-8;  // least share of a column's squared length outside the span of others
  const Index n = x.cols();
  const Array2<double> gram = inner_products(columns(x), columns(x), run);
  Array2<double> upper(n, n), inverse(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i <= j; ++i) {
      double sum = gram(i, j);
      for (Index k = 0; k < i; ++k) sum -= upper(k, i) * upper(k, j);
      if (i < j) {
        upper(i, j) = sum / upper(i, i);
      } else if (sum > kIndependent * gram(j, j) && std::isfinite(sum)) {
        upper(j, j) = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  for (Index j = 0; j < n; ++j) {
    inverse(j, j) = 1 / upper(j, j);
    for (Index i = j - 1; i >= 0; --i) {
      double sum = 0;
      for (Index k = i + 1; k <= j; ++k) sum += upper(i, k) * inverse(k, j);
      inverse(i, j) = -sum / upper(i, i);
    }
  }
  parallel_for(run, x.rows(), kRows,
               [&](Index begin, Index end) { kernels.replace_by_product(x.row(begin), inverse.data(), end - begin); });
  Array2<double> product(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index k = i; k < n; ++k)
      for (Index j = k; j < n; ++j) product(i, j) += upper(i, k) * r(k, j);
  r = std::move(product);
  return true;
}

}  // namespace

Array2<double> inner_products(Columns x, Columns y, const Run& run) {
  const SingleThreadedBlas guard;
  Array2<double> sum(x.cols, y.cols);
  if (sum.size() == 0) return sum;
  const simd::TallKernels* kernels = simd::kernels().sides.tall(y.cols);
  return parallel_reduce(
      run, x.rows, kRows, std::move(sum),
      [&](Index begin, Index end) {
        Array2<double> part(x.cols, y.cols);
        if (kernels != nullptr) {
          kernels->inner_products(x.data + begin * x.stride, x.stride, x.cols, y.data + begin * y.stride, y.stride,
                                  end - begin, part.data());
          return part;
        }
        gemm(false, true, y.cols, x.cols, end - begin, 1.0, y.data + begin * y.stride, y.stride,
             x.data + begin * x.stride, x.stride, 0.0, part.data(), y.cols);
        return part;
      },
      [](Array2<double> a, const Array2<double>& b) {
        for (Index i = 0; i < a.size(); ++i) a.data()[i] += b.data()[i];
        return a;
      });
}

void subtract_product(Columns y, Columns x, const Array2<double>& c, const Run& run) {
  if (x.cols == 0) return;
  const SingleThreadedBlas guard;
  const simd::TallKernels* kernels = simd::kernels().sides.tall(y.cols);
  parallel_for(run, x.rows, kRows, [&](Index begin, Index end) {
    if (kernels != nullptr) {
      kernels->subtract_product(y.data + begin * y.stride, y.stride, x.data + begin * x.stride, x.stride, x.cols,
                                c.data(), end - begin);
      return;
    }
    gemm(false, false, y.cols, end - begin, x.cols, -1.0, c.data(), c.cols(), x.data + begin * x.stride, x.stride, 1.0,
         y.data + begin * y.stride, y.stride);
  });
}

void replace_by_product(Columns x, const Array2<double>& c, const Run& run) {
  const SingleThreadedBlas guard;
  parallel_for(run, x.rows, kRows, [&](Index begin, Index end) {
    Array2<double> block = Array2<double>::uninitialized(end - begin, c.cols());
    double* rows = x.data + begin * x.stride;
    gemm(false, false, c.cols(), end - begin, x.cols, 1.0, c.data(), c.cols(), rows, x.stride, 0.0, block.data(),
         c.cols());
    for (Index i = 0; i < block.rows(); ++i) std::copy_n(block.row(i), c.cols(), rows + i * x.stride);
  });
}

Array2<double> orthonormalize(Array2<double>& x, const Run& run) {
  if (const simd::TallKernels* kernels = simd::kernels().sides.tall(x.cols())) {
    Array2<double> r(x.cols(), x.cols());
    for (Index k = 0; k < x.cols(); ++k) r(k, k) = 1;
    if (orthonormalize_by_cholesky(x, *kernels, r, run)) {  // twice: CholeskyQR2 (Yamamoto et al. 2015)
      orthonormalize_by_cholesky(x, *kernels, r, run);
      return r;
    }
  }
  const SingleThreadedBlas guard;
  const Index cols = x.cols(), height = std::max(kRows, 4 * cols);
  const Index blocks = std::max<Index>(1, x.rows() / height);  // the last one takes the remaining rows
  const auto piece = [&](Index b) { return std::pair{b * height, b + 1 == blocks ? x.rows() : (b + 1) * height}; };
  Array2<double> triangles = Array2<double>::uninitialized(blocks * cols, cols);
  parallel_for(run, blocks, 1, [&](Index b, Index) {
    const auto [begin, end] = piece(b);
    orthonormalize_block(x.row(begin), end - begin, cols, triangles.row(b * cols));
  });
  if (blocks == 1) return triangles;
  Array2<double> r = Array2<double>::uninitialized(cols, cols);
  orthonormalize_block(triangles.data(), blocks * cols, cols, r.data());
  parallel_for(run, blocks, 1, [&](Index b, Index) {
    const auto [begin, end] = piece(b);
    Array2<double> rows = Array2<double>::uninitialized(end - begin, cols);
    gemm(false, false, cols, end - begin, cols, 1.0, triangles.row(b * cols), cols, x.row(begin), cols, 0.0,
         rows.data(), cols);
    std::copy_n(rows.data(), rows.size(), x.row(begin));
  });
  return r;
}

}  // namespace unroll
