#include "affinity/similarities.h"

#include <algorithm>

#include "core/parallel.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kTile = simd::kTileSide;
constexpr Index kShares = 16;

/// Vectors in the layout of simd/symmetric_kernels.h.
class TiledVectors {
 public:
  TiledVectors(Index size, Index count)
      : count_(count), values_(static_cast<std::size_t>(block_count(size, kTile) * kTile * count)) {}

  Index count() const { return count_; }
  double* tile(Index t) { return values_.data() + t * kTile * count_; }
  const double* tile(Index t) const { return values_.data() + t * kTile * count_; }

 private:
  Index count_;
  std::vector<double> values_;
};

TiledVectors tiled(const Array2<double>& x, const Run& run) {
  TiledVectors result(x.rows(), x.cols());
  parallel_for(run, x.rows(), kTile, [&](Index begin, Index end) {
    double* tile = result.tile(begin / kTile);
    for (Index i = begin; i < end; ++i)
      for (Index k = 0; k < x.cols(); ++k) tile[k * kTile + i - begin] = x(i, k);
  });
  return result;
}

/// Adds to y the products with one row of tiles, from the diagonal on, and with their mirror images.
template <class T>
void multiply_tiles(const Similarities& w, const MatrixView<T>& m, Index t, const TiledVectors& x, TiledVectors& y) {
  const auto add_products = simd::kernels().symmetric.add_products<T>();
  const Index n = m.rows, row = t * kTile;
  for (Index c = t; c * kTile < n; ++c)
    add_products(
        {.entries = m.row(row) + c * kTile,
         .stride = m.stride,
         .rows = std::min(kTile, n - row),
         .cols = std::min(kTile, n - c * kTile),
         .is_diagonal = c == t,
         .is_distances = w.entries == Similarities::Entries::Distances,
         .scale = w.scale},
        {.count = x.count(), .x_rows = x.tile(t), .x_cols = x.tile(c), .y_rows = y.tile(t), .y_cols = y.tile(c)});
}

/// Only half of the matrix is read and each tile is used twice: reading the matrix dominates a product with few
/// vectors. Rows of tiles are dealt out to a fixed number of shares, each with its own y; these are added in a fixed
/// order.
template <class T>
void multiply_full(const Similarities& w, const MatrixView<T>& m, const Array2<double>& x, Array2<double>& y,
                   const Run& run) {
  const Index tiles = block_count(m.rows, kTile), shares = std::min(kShares, tiles);
  const TiledVectors tiled_x = tiled(x, run);
  std::vector<TiledVectors> sums(static_cast<std::size_t>(shares), TiledVectors(0, x.cols()));
  parallel_for(run, shares, 1, [&](Index share, Index) {
    TiledVectors sum(m.rows, x.cols());
    for (Index t = share; t < tiles; t += shares) multiply_tiles(w, m, t, tiled_x, sum);
    sums[static_cast<std::size_t>(share)] = std::move(sum);
  });
  parallel_for(run, m.rows, kTile, [&](Index begin, Index end) {
    std::fill(y.row(begin), y.row(begin) + (end - begin) * y.cols(), 0.0);
    for (const TiledVectors& sum : sums) {
      const double* tile = sum.tile(begin / kTile);
      for (Index i = begin; i < end; ++i)
        for (Index k = 0; k < y.cols(); ++k) y(i, k) += tile[k * kTile + i - begin];
    }
  });
}

void multiply_rows(const Similarities& w, const SparseMatrix* m, Index begin, Index end, const Array2<double>& x,
                   Array2<double>& y) {
  const Index b = x.cols();
  for (Index i = begin; i < end; ++i) {
    double* out = y.row(i);
    std::fill_n(out, b, 0.0);
    for (Index e = m->offsets[static_cast<std::size_t>(i)]; e < m->offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const double value = similarity(w.entries, w.scale, m->values[entry]);
      const double* in = x.row(m->columns[entry]);
      for (Index k = 0; k < b; ++k) out[k] += value * in[k];
    }
  }
}

template <class T>
Index size_of(const MatrixView<T>& m) {
  return m.rows;
}
Index size_of(const SparseMatrix* m) { return m->rows; }

template <class T>
double entries_of(const MatrixView<T>& m) {
  return static_cast<double>(m.rows) * static_cast<double>(m.cols);
}
double entries_of(const SparseMatrix* m) { return static_cast<double>(m->values.size()); }

}  // namespace

Index Similarities::size() const {
  return std::visit([](const auto& m) { return size_of(m); }, matrix);
}

void multiply(const Similarities& w, const Array2<double>& x, Array2<double>& y, const Run& run) {
  constexpr Index kSparseRows = 256;
  std::visit(
      [&]<class Matrix>(const Matrix& m) {
        if constexpr (std::is_same_v<Matrix, const SparseMatrix*>) {
          parallel_for(run, m->rows, kSparseRows,
                       [&](Index begin, Index end) { multiply_rows(w, m, begin, end, x, y); });
        } else {
          multiply_full(w, m, x, y, run);
        }
      },
      w.matrix);
}

std::vector<double> row_means(const Similarities& w, const Run& run) {
  const Index n = w.size();
  Array2<double> ones = Array2<double>::uninitialized(n, 1), sums = Array2<double>::uninitialized(n, 1);
  std::fill_n(ones.data(), n, 1.0);
  multiply(w, ones, sums, run);
  std::vector<double> means(sums.data(), sums.data() + n);
  for (double& mean : means) mean /= static_cast<double>(n);
  return means;
}

double product_cost(const Similarities& w) {
  return 2 * std::visit([](const auto& m) { return entries_of(m); }, w.matrix);
}

}  // namespace unroll
