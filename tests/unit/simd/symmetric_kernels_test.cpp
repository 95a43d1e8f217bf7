#include "simd/symmetric_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

constexpr Index kSide = simd::kTileSide;

/// Vectors, a row each, of which the first entries count and zeros follow.
Array2<double> vectors(Index count, Index length, std::uint64_t seed) {
  Array2<double> x = normal_matrix(count, kSide, seed);
  for (Index k = 0; k < count; ++k) std::fill(x.row(k) + length, x.row(k) + kSide, 0.0);
  return x;
}

template <class T>
double entry(const simd::SymmetricTile<T>& tile, Index i, Index j) {
  const auto stored = static_cast<double>(tile.entries[i * tile.stride + j]);
  return tile.is_distances ? -0.5 * (tile.scale * stored) * (tile.scale * stored) : stored;
}

struct Results {
  Array2<double> rows, cols;
};

template <class T>
Results plainly(const simd::SymmetricTile<T>& tile, const Array2<double>& x_rows, const Array2<double>& x_cols,
                Results y) {
  for (Index k = 0; k < x_rows.rows(); ++k)
    for (Index i = 0; i < tile.rows; ++i)
      for (Index j = tile.is_diagonal ? i : 0; j < tile.cols; ++j) {
        y.rows(k, i) += entry(tile, i, j) * x_cols(k, j);
        if (!tile.is_diagonal) y.cols(k, j) += entry(tile, i, j) * x_rows(k, i);
        if (tile.is_diagonal && i != j) y.rows(k, j) += entry(tile, i, j) * x_rows(k, i);
      }
  return y;
}

template <class T>
void expect_products(const simd::SymmetricTile<T>& tile, Index count) {
  const Array2<double> x_rows = vectors(count, tile.rows, 2);
  const Array2<double> x_cols = tile.is_diagonal ? x_rows : vectors(count, tile.cols, 3);
  const Results before{vectors(count, tile.rows, 4), vectors(count, tile.cols, 5)};
  const Results expected = plainly(tile, x_rows, x_cols, before);
  for (const simd::Kernels* kernels : runnable_kernels()) {
    Results y = before;
    kernels->symmetric.add_products<T>()(tile, {.count = count,
                                                .x_rows = x_rows.data(),
                                                .x_cols = x_cols.data(),
                                                .y_rows = y.rows.data(),
                                                .y_cols = tile.is_diagonal ? y.rows.data() : y.cols.data()});
    EXPECT_LT(relative_difference(y.rows, expected.rows), 1e-14) << kernels->name << " rows " << tile.rows;
    EXPECT_LT(relative_difference(y.cols, expected.cols), 1e-14) << kernels->name << " cols " << tile.cols;
  }
}

/// What is outside of the tile, and below its diagonal, is not a number.
template <class T>
void expect_products_of_all_shapes() {
  for (const Index rows : {1, 3, 4, 5, 127, 128})
    for (const Index cols : {1, 7, 8, 9, 127, 128})
      for (const bool is_diagonal : {false, true}) {
        if (is_diagonal && rows != cols) continue;
        const Array2<double> values = normal_matrix(rows, cols, 1);
        Array2<T> stored(rows + 5, cols + 3);
        std::fill_n(stored.data(), stored.size(), std::numeric_limits<T>::quiet_NaN());
        for (Index i = 0; i < rows; ++i)
          for (Index j = is_diagonal ? i : 0; j < cols; ++j) stored(i, j) = static_cast<T>(values(i, j));
        for (const bool is_distances : {false, true})
          for (const Index count : {1, 2, 6, 20})
            expect_products<T>({.entries = stored.data(),
                                .stride = stored.cols(),
                                .rows = rows,
                                .cols = cols,
                                .is_diagonal = is_diagonal,
                                .is_distances = is_distances,
                                .scale = 0.25},
                               count);
      }
}

TEST(SymmetricKernels, TilesTimesFewVectorsAgreeWithPlainLoops) {
  expect_products_of_all_shapes<double>();
  expect_products_of_all_shapes<float>();
}

// The square of the scale alone would be infinite.
TEST(SymmetricKernels, DistancesAreScaledBeforeTheyAreSquared) {
  Array2<double> stored = normal_matrix(8, 8, 6);
  for (Index i = 0; i < stored.size(); ++i) stored.data()[i] *= 0x1p-800;
  expect_products<double>({.entries = stored.data(),
                           .stride = 8,
                           .rows = 8,
                           .cols = 8,
                           .is_diagonal = false,
                           .is_distances = true,
                           .scale = 0x1p800},
                          3);
}

}  // namespace
}  // namespace unroll
