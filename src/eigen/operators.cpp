#include "eigen/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

void check_square(Index rows, Index cols) {
  if (rows != cols)
    throw Error(ErrorKind::Internal, fmt::format("a symmetric operator got a matrix of {} x {}", rows, cols));
}

/// Rows [begin, end) of y = A x. The usual numbers of columns are compile-time constants.
template <std::size_t Width>
void multiply_rows(const SparseMatrix& a, const double* x, double* y, Index begin, Index end) {
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
    std::array<double, Width> sum{};
    for (auto e = static_cast<std::size_t>(a.offsets[i]); e < static_cast<std::size_t>(a.offsets[i + 1]); ++e) {
      const double value = a.values[e];
      const double* row = x + static_cast<std::size_t>(a.columns[e]) * Width;
      for (std::size_t k = 0; k < Width; ++k) sum[k] += value * row[k];
    }
    std::copy_n(sum.data(), Width, y + i * Width);
  }
}

void multiply_rows(const SparseMatrix& a, const double* x, double* y, Index width, Index begin, Index end) {
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
    double* sum = y + static_cast<Index>(i) * width;
    std::fill_n(sum, width, 0.0);
    for (auto e = static_cast<std::size_t>(a.offsets[i]); e < static_cast<std::size_t>(a.offsets[i + 1]); ++e) {
      const double* row = x + a.columns[e] * width;
      for (Index k = 0; k < width; ++k) sum[k] += a.values[e] * row[k];
    }
  }
}

}  // namespace

Array2<double> SymmetricOperator::dense(const Run& run) const {
  constexpr Index kColumns = 64;
  const Index n = size();
  Array2<double> matrix = Array2<double>::uninitialized(n, n);
  for (Index first = 0; first < n; first += kColumns) {
    const Index count = std::min(kColumns, n - first);
    Array2<double> x(n, count), y(n, count);
    for (Index k = 0; k < count; ++k) x(first + k, k) = 1;
    apply(x, y, run);
    for (Index i = 0; i < n; ++i) std::copy_n(y.row(i), count, matrix.row(i) + first);
  }
  for (Index i = 0; i < n; ++i)  // products are rounded: the triangles may differ
    for (Index j = 0; j < i; ++j) matrix(i, j) = matrix(j, i) = matrix(i, j) / 2 + matrix(j, i) / 2;
  return matrix;
}

SparseOperator::SparseOperator(SparseMatrix matrix) : matrix_(std::move(matrix)) {
  check_square(matrix_.rows, matrix_.cols);
}

void SparseOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  constexpr Index kRows = 2048;
  const Index width = x.cols();
  parallel_for(run, size(), kRows, [&](Index begin, Index end) {
    switch (width) {
      case 1: return multiply_rows<1>(matrix_, x.data(), y.data(), begin, end);
      case 4: return multiply_rows<4>(matrix_, x.data(), y.data(), begin, end);
      case 8: return multiply_rows<8>(matrix_, x.data(), y.data(), begin, end);
      default: return multiply_rows(matrix_, x.data(), y.data(), width, begin, end);
    }
  });
}

Array2<double> SparseOperator::dense(const Run&) const {
  Array2<double> matrix(size(), size());
  for (Index i = 0; i < size(); ++i)
    for (Index e = matrix_.offsets[static_cast<std::size_t>(i)]; e < matrix_.offsets[static_cast<std::size_t>(i) + 1];
         ++e)
      matrix(i, matrix_.columns[static_cast<std::size_t>(e)]) = matrix_.values[static_cast<std::size_t>(e)];
  return matrix;
}

DenseOperator::DenseOperator(Array2<double> matrix) : matrix_(std::move(matrix)) {
  check_square(matrix_.rows(), matrix_.cols());
}

void DenseOperator::apply(const Array2<double>& x, Array2<double>& y, const Run& run) const {
  constexpr Index kRows = 128;
  const SingleThreadedBlas guard;
  const Index n = size(), width = x.cols();
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    gemm(false, false, width, end - begin, n, 1.0, x.data(), width, matrix_.row(begin), n, 0.0, y.row(begin), width);
  });
}

}  // namespace unroll
