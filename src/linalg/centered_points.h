#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Points as z = scale * x - center: column means removed, and scaled by a power of two so that |scale * x| <= 1.
/// Squares of z neither overflow for data of 1e300 nor vanish for 1e-300, and an offset of 1e8 costs no digits. z is
/// made block by block; the data are never copied. Sparse rows have no low, high and on_grid; they are multiplied as
/// they are (sparse_products.h).
struct CenteredPoints {
  PointsView points;
  double scale = 1;                 ///< a power of two
  std::vector<double> center = {};  ///< scale * mean, per feature
  std::vector<double> low = {};     ///< scale * smallest value, per feature
  std::vector<double> high = {};    ///< scale * largest value, per feature
  bool on_grid = false;             ///< every scale * x is a multiple of 2^-8: 8-bit images, small counts

  Index rows() const { return points.rows(); }
  Index cols() const { return points.cols(); }
  /// Rows [first, first + count) of z, row after row.
  void pack(Index first, Index count, double* out) const { pack(first, count, 0, cols(), out); }
  /// The same for columns [first_col, first_col + col_count) only.
  void pack(Index first, Index count, Index first_col, Index col_count, double* out) const;
  /// Rows of factor * scale * x - shift in single precision.
  void pack_float(Index first, Index count, double factor, const std::vector<double>& shift, float* out) const;
};

/// 2^-e with largest < 2^e; e is limited so that a double can be multiplied by it twice.
double unit_scale(double largest);

CenteredPoints centered(PointsView points, const Run& run);

/// Sum over all entries of z^2.
double squared_norm(const CenteredPoints& z, const Run& run);

/// (scale * x - center) * axes^T for all points, axes one per row; a row's bits do not depend on the other rows.
Array2<double> project(PointsView points, double scale, const std::vector<double>& center, const Array2<double>& axes,
                       const Run& run);

}  // namespace unroll
