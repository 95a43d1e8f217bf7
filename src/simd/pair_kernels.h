#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Kernels that compare pairs of points. Like all of src/simd they exist once per instruction set.
namespace unroll::simd {

/// Points are compared in panels of this many: one AVX-512 register, two of AVX2, four of SSE.
inline constexpr Index kPanelPoints = 16;
/// Rows that are compared with panels are packed in groups of this many.
inline constexpr Index kRowGroup = 12;
/// Unit roundoff of float, in which tiles are computed.
inline constexpr double kFloatRoundoff = 0x1p-24;

/// A pair that the filter could not exclude, by places in its two blocks.
struct TileHit {
  std::int32_t row;
  std::int32_t point;
};

/// A pair with its value.
struct TileValue {
  float value;
  std::int32_t row;
  std::int32_t point;
};

/// Rows against points in single precision: |r|^2 + |p|^2 - 2 r.p.
struct Tile {
  Index depth;        ///< coordinates
  Index groups;       ///< of kRowGroup rows
  const float* rows;  ///< per group: depth x kRowGroup
  const float* row_norms;
  Index panels;         ///< of kPanelPoints points
  const float* points;  ///< per panel: depth x kPanelPoints
  const float* point_norms;
};

/// Distances between two rows of `n` values, in double whatever the input; the order of summation is fixed, and fewer
/// than 8 values are summed one after the other.
template <class T>
struct RowKernels {
  /// sum (scale x - scale y)^2
  double (*squared)(const T* x, const T* y, Index n, double scale);
  /// sum ((x - sx) fx - (y - sy) fy)^2
  double (*squared_affine)(const T* x, double sx, double fx, const T* y, double sy, double fy, Index n);
  double (*manhattan)(const T* x, const T* y, Index n, double scale);
  double (*chebyshev)(const T* x, const T* y, Index n, double scale);
  Index (*differing)(const T* x, const T* y, Index n);
};

struct PairKernels {
  RowKernels<float> f32;
  RowKernels<double> f64;

  /// All pairs of the tile whose value is at most the row's or the point's limit; returns how many. `hits` has room for
  /// every pair.
  Index (*select)(const Tile& tile, const float* row_limits, const float* point_limits, TileHit* hits);
  /// All pairs of the tile whose value is at most the row's limit, with their values; returns how many. `hits` has room
  /// for every pair. After a row with the limit -infinity no other limits follow.
  Index (*select_values)(const Tile& tile, const float* row_limits, TileValue* hits);
  /// The values themselves, one row of panels * kPanelPoints after the other.
  void (*values)(const Tile& tile, float* out);
  /// Adds -2 r.p alone, of further coordinates of the same points.
  void (*add_products)(const Tile& tile, float* out);
  /// Of n values, how many are below `low` and how many are from `low` to `high`.
  void (*count)(const float* values, Index n, float low, float high, Index* below, Index* between);
  /// sum (x - y + shift)^2 over n, a multiple of 16.
  float (*shifted_squared)(const float* x, const float* y, const float* shift, Index n);
  /// sum (x - y)^2 over n, a multiple of 16.
  float (*squared_float)(const float* x, const float* y, Index n);
  /// x.y over n, a multiple of 16.
  float (*dot_float)(const float* x, const float* y, Index n);
  /// Leaf of a k-d tree: `count` (a multiple of 8, at most 64) points, coordinate after coordinate. Puts a distance per
  /// point in `out` and returns the bits of those at most `limit`. The distance is sum of squares, sum or largest of
  /// absolute differences.
  std::uint64_t (*leaf_squared)(const double* query, const double* leaf, Index dims, Index count, double limit,
                                double* out);
  std::uint64_t (*leaf_manhattan)(const double* query, const double* leaf, Index dims, Index count, double limit,
                                  double* out);
  std::uint64_t (*leaf_chebyshev)(const double* query, const double* leaf, Index dims, Index count, double limit,
                                  double* out);

  template <class T>
  const RowKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return f32;
    } else {
      return f64;
    }
  }
};

}  // namespace unroll::simd
