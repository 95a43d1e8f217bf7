#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Algebra on a few vectors that are stored side by side, entry after entry: what BLAS, made for wide matrices, spends
/// its time on packing for. Like all of src/simd it exists once per instruction set.
namespace unroll::simd {

/// Right-hand sides of a triangular solve: one AVX2 register.
inline constexpr Index kSides = 4;

/// Some consecutive columns of a lower triangular matrix that have their entries in the same rows.
struct Supernode {
  Index first;  ///< column, of `cols`
  Index cols;
  Index rows;               ///< the first `cols` of them are those of the columns themselves
  const std::int32_t* row;  ///< which rows
  const double* values;     ///< column after column
  Index stride;             ///< values from one column to the next
};

/// Products of tall matrices, y and out with a fixed number of columns, the width.
struct TallKernels {
  /// out(p, :) += sum over i of x(i, p) y(i, :), p < cols; rows are `stride` apart.
  void (*inner_products)(const double* x, Index x_stride, Index cols, const double* y, Index y_stride, Index rows,
                         double* out);
  /// y(i, :) -= sum over p of x(i, p) c(p, :).
  void (*subtract_product)(double* y, Index y_stride, const double* x, Index x_stride, Index cols, const double* c,
                           Index rows);
  /// x(i, :) = sum over p of x(i, p) c(p, :), for `width` columns of x, contiguous, and c.
  void (*replace_by_product)(double* x, const double* c, Index rows);
};

struct SideKernels {
  TallKernels four, eight;

  // A supernode's part of y = L^-1 y, first the triangle and then the rows below it, and of y = L^-T y, the other way
  // round; y has kSides columns, contiguous.

  /// y = L^-1 y within the triangle.
  void (*solve_lower)(const Supernode& node, double* y);
  /// y(row) -= L y of the columns, for rows [begin, end), which are below the triangle; `sums` has room for as many.
  void (*subtract_lower)(const Supernode& node, Index begin, Index end, double* y, double* sums);
  /// y of columns [begin, end) -= L^T `below`, which are the rows of y below the triangle.
  void (*subtract_upper)(const Supernode& node, Index begin, Index end, double* y, const double* below);
  /// y = L^-T y within the triangle.
  void (*solve_upper)(const Supernode& node, double* y);

  /// Of this width; null where there are none.
  const TallKernels* tall(Index width) const { return width == 4 ? &four : width == 8 ? &eight : nullptr; }
};

}  // namespace unroll::simd
