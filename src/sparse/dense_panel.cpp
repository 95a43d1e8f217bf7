#include "sparse/dense_panel.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

using simd::kEliminated;

/// X = X L^-T, columns of X and L `stride` apart.
void substitute_rows(double* x, Index stride, const double* l, Index rows, Index cols) {
  const simd::TriangleKernels& kernels = simd::kernels().triangles;
  for (Index c = 0; c < cols; c += kEliminated) {
    const Index count = std::min(kEliminated, cols - c);
    kernels.subtract_outer(x + c * stride, stride, x, stride, l + c, stride, rows, count, c);
    kernels.substitute(x + c * stride, stride, l + c * stride + c, stride, rows, count);
  }
}

/// The same for the triangle itself, at most kEliminated columns.
bool factorize_corner(double* a, Index stride, Index cols) {
  for (Index j = 0; j < cols; ++j) {
    double* column = a + j * stride;
    for (Index p = 0; p < j; ++p)
      for (Index i = j; i < cols; ++i) column[i] -= a[p * stride + j] * a[p * stride + i];
    if (!(column[j] > 0 && std::isfinite(column[j]))) return false;
    column[j] = std::sqrt(column[j]);
    for (Index i = j + 1; i < cols; ++i) column[i] /= column[j];
  }
  return true;
}

/// L L^T = A in place of A's lower triangle.
bool factorize_triangle(double* a, Index stride, Index cols) {
  const simd::TriangleKernels& kernels = simd::kernels().triangles;
  for (Index c = 0; c < cols; c += kEliminated) {
    const Index count = std::min(kEliminated, cols - c);
    double* corner = a + c * stride + c;
    kernels.subtract_outer(corner, stride, a + c, stride, a + c, stride, cols - c, count, c);
    if (!factorize_corner(corner, stride, count)) return false;
    kernels.substitute(corner + count, stride, corner, stride, cols - c - count, count);
  }
  return true;
}

}  // namespace

bool eliminate_small(const DensePanel& panel, double* update) {
  const auto [values, rows, cols] = panel;
  if (!factorize_triangle(values, rows, cols)) return false;
  substitute_rows(values + cols, rows, values, rows - cols, cols);
  simd::kernels().triangles.subtract_square(update, rows - cols, values + cols, rows, rows - cols, cols);
  return true;
}

/// With BLAS for all that came before a block of columns.
bool eliminate_large(const DensePanel& panel, double* update, const std::function<void(double)>& add_share,
                     const Run& run) {
  constexpr Index kColumns = 64, kRows = 256;
  const SingleThreadedBlas guard;
  const Index rows = panel.rows, cols = panel.cols, below = rows - cols;
  const auto products = [](Index a, Index b, Index c) { return static_cast<double>(a * b) * static_cast<double>(c); };
  double all = products(below, below + kColumns, cols) / 2;
  for (Index c = 0; c < cols; c += kColumns) all += products(rows - c, kColumns, c + kColumns);
  double* values = panel.values;
  for (Index c = 0; c < cols; c += kColumns) {
    const Index count = std::min(kColumns, cols - c);
    double* corner = values + c * rows + c;
    gemm(false, true, count, count, c, -1, values + c, rows, values + c, rows, 1, corner, rows);
    if (!factorize_triangle(corner, rows, count)) return false;
    const Index from = c + count;
    parallel_for(run, rows - from, kRows, [&](Index first, Index last) {
      double* x = values + c * rows + from + first;
      gemm(false, true, last - first, count, c, -1, values + from + first, rows, values + c, rows, 1, x, rows);
      substitute_rows(x, rows, corner, last - first, count);
    });
    add_share(products(rows - c, kColumns, c + kColumns) / all);
  }
  parallel_for(run, below, kColumns, [&](Index first, Index last) {
    const double* x = values + cols + first;
    gemm(false, true, below - first, last - first, cols, -1, x, rows, x, rows, 1, update + first * below + first,
         below);
    add_share(products(below - first, last - first, cols) / all);
  });
  return true;
}

bool is_large(const DensePanel& panel) {
  constexpr Index kWideColumns = 64;  // columns, from which BLAS packs with profit
  constexpr Index kTallRows = 1024;   // rows, from which it is worth to work in parallel
  return panel.cols >= kWideColumns || panel.rows >= kTallRows;
}

}  // namespace unroll
