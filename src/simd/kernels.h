#pragma once
#include "simd/network_kernels.h"
#include "simd/pair_kernels.h"
#include "simd/path_kernels.h"
#include "simd/pull_kernels.h"
#include "simd/side_kernels.h"
#include "simd/sparse_pull_kernels.h"
#include "simd/sparse_row_kernels.h"
#include "simd/spline_kernels.h"
#include "simd/stress_kernels.h"
#include "simd/symmetric_kernels.h"
#include "simd/tile_kernels.h"
#include "simd/transform_kernels.h"
#include "simd/tree_kernels.h"
#include "simd/triangle_kernels.h"
#include "simd/umap_kernels.h"
#include "unroll/core/types.h"

/// Hot loops, compiled once per instruction set (x86-64-v2, v3, v4) and chosen at first use. Everything here works on
/// points as a method should see them: z = scale * x - center, with a power of two as scale, so that neither an offset
/// of 1e8 nor a unit of 1e-300 costs accuracy; z is made as blocks are packed, never for the whole data at once.
namespace unroll::simd {

/// Columns of axes are handled in panels of this many: one AVX-512 register, two AVX2 ones.
inline constexpr Index kPanel = 8;

/// Points on a regular grid: multiples of 2^-kGridBits of the scaled unit (images, counts).
inline constexpr int kGridBits = 8;

/// Per-column sums and ranges of a block of rows, and whether every entry is on the grid. Arrays are added to.
struct ColumnStatistics {
  double* sum;   ///< of scale * x - shift
  double* low;   ///< of scale * x
  double* high;  ///< of scale * x
  bool on_grid;
};

template <class T>
struct PointKernels {
  void (*column_statistics)(const T* x, Index stride, Index rows, Index cols, double scale, const double* shift,
                            ColumnStatistics* out);
  /// out(i, j) = scale * x(i, j) - center(j), rows of out `cols` apart.
  void (*pack)(const T* x, Index stride, Index rows, Index cols, double scale, const double* center, double* out);
  void (*pack_float)(const T* x, Index stride, Index rows, Index cols, double scale, const double* center, float* out);
  /// out(i, :) = sum over j of (scale * x(i, j) - center(j)) * axes(j, :). `axes` is stored panel after panel, each
  /// cols x kPanel; `out` has panels * kPanel columns. The sum runs over j in ascending order for every row alike: a
  /// row's bits do not depend on its neighbours in the block, which no BLAS promises.
  void (*project)(const T* x, Index stride, Index rows, Index cols, double scale, const double* center,
                  const double* axes, Index panels, double* out);
};

struct Kernels {
  const char* name;
  PointKernels<float> f32;
  PointKernels<double> f64;
  PairKernels pairs;
  PathKernels paths;
  TileKernels tiles;
  SideKernels sides;
  TriangleKernels triangles;
  SymmetricKernels symmetric;
  LayoutKernels layouts;
  FftKernels ffts;
  UmapKernels umap;
  EdgeKernels edges;
  SplineKernels splines;
  TreeKernels trees;
  NetworkKernels networks;
  StressKernels stress;
  SparseKernels sparse;

  template <class T>
  const PointKernels<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return f32;
    } else {
      return f64;
    }
  }
};

/// The best set this CPU can run.
const Kernels& kernels();

namespace v2 {
extern const Kernels table;
}
namespace v3 {
extern const Kernels table;
}
namespace v4 {
extern const Kernels table;
}

}  // namespace unroll::simd
