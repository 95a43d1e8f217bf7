#pragma once
#include "unroll/core/types.h"

/// Points against points in double precision, and the exponential that makes a Gaussian of a distance. Like all of
/// src/simd they exist once per instruction set.
namespace unroll::simd {

/// One sum per pair of a row and a point: over the coordinates j in ascending order, each pair for itself. So its bits
/// depend neither on the pairs beside it, which no BLAS promises, nor on which of the two is the row.
struct PairSums {
  Index depth;           ///< coordinates
  Index rows;            ///< count
  const double* row;     ///< row after row, `depth` apart
  Index panels;          ///< of kPanel points; panels * kPanel sums per row
  const double* points;  ///< per panel: depth x kPanel
  double* out;           ///< added to
  Index stride;          ///< between rows of `out`
};

struct TileKernels {
  void (*add_products)(const PairSums& sums);             ///< sum x_j y_j
  void (*add_squared_differences)(const PairSums& sums);  ///< sum (x_j - y_j)^2
  void (*add_differences)(const PairSums& sums);          ///< sum |x_j - y_j|
  /// out = exp(factor * x), to 2 ulp over the whole range, 0 and infinity beyond it, NaN for NaN; out may be x. (The
  /// standard library's takes ten times as long.)
  void (*exp)(const double* x, Index n, double factor, double* out);
  /// out = exp(factor * x) - 1 to 2 ulp, without cancellation, for factor * x <= 0.
  void (*expm1)(const double* x, Index n, double factor, double* out);
};

}  // namespace unroll::simd
