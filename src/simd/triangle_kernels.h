#pragma once
#include "unroll/core/types.h"

/// Small dense Cholesky factorisation, column by column in memory: panels of a few columns and some tens of rows, where
/// a call of BLAS takes longer than the arithmetic.
namespace unroll::simd {

/// Columns that are eliminated at a time.
inline constexpr Index kEliminated = 4;

struct TriangleKernels {
  /// C -= A B^T for C rows x cols, A rows x rank, B cols x rank, cols <= kEliminated; columns are `*_stride` apart.
  void (*subtract_outer)(double* c, Index c_stride, const double* a, Index a_stride, const double* b, Index b_stride,
                         Index rows, Index cols, Index rank);
  /// The lower triangle of C -= A A^T, A rows x rank; what is above it, next to the diagonal, is spoilt.
  void (*subtract_square)(double* c, Index c_stride, const double* a, Index a_stride, Index rows, Index rank);
  /// X = X L^-T for X rows x cols and L's lower triangle, cols <= kEliminated.
  void (*substitute)(double* x, Index x_stride, const double* l, Index l_stride, Index rows, Index cols);
};

}  // namespace unroll::simd
