#pragma once
#include "unroll/core/types.h"

/// A full symmetric matrix times a few vectors: what BLAS, made for wide matrices, spends its time on packing for. Like
/// all of src/simd it exists once per instruction set.
namespace unroll::simd {

/// Side of a tile. Vectors are stored tile after tile, within it vector after vector, with zeros after the last entry:
/// entry i of vector k of v is at (i / kTileSide * v + k) * kTileSide + i % kTileSide.
inline constexpr Index kTileSide = 128;

/// A tile of the upper triangle. The matrix is that of its entries e, or of -(scale e)^2 / 2.
template <class T>
struct SymmetricTile {
  const T* entries;
  Index stride;
  Index rows, cols;   ///< up to kTileSide
  bool is_diagonal;   ///< entries below the diagonal do not count
  bool is_distances;  ///< see above
  double scale;
};

/// The parts of the vectors that belong to the tile's rows and columns.
struct TileVectors {
  Index count;
  const double *x_rows, *x_cols;
  double *y_rows, *y_cols;
};

template <class T>
using AddTileProducts = void (*)(const SymmetricTile<T>& tile, const TileVectors& vectors);

struct SymmetricKernels {
  /// y_rows += tile x_cols and, of what is off the diagonal, y_cols += tile' x_rows: entries are read once.
  AddTileProducts<float> add_products_f32;
  AddTileProducts<double> add_products_f64;

  template <class T>
  AddTileProducts<T> add_products() const {
    if constexpr (sizeof(T) == sizeof(float)) {
      return add_products_f32;
    } else {
      return add_products_f64;
    }
  }
};

}  // namespace unroll::simd
