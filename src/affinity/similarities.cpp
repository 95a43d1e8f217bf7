#include "affinity/similarities.h"

#include <algorithm>

#include "core/parallel.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

constexpr Index kTile = 128;  // of 128 x 128 in double: it stays in a second-level cache while it is multiplied
constexpr Index kShares = 16;

/// The entries of W for the tile at (row, column), of which the upper triangle counts.
template <class T>
void read_tile(const Similarities& w, const MatrixView<T>& m, Index row, Index column, Index rows, Index columns,
               double* tile) {
  for (Index i = 0; i < rows; ++i)
    std::transform(m.row(row + i) + column, m.row(row + i) + column + columns, tile + i * columns,
                   [&](T stored) { return similarity(w.entries, w.scale, static_cast<double>(stored)); });
  if (row != column) return;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < i; ++j) tile[i * columns + j] = tile[j * columns + i];
}

/// Adds to y what the tiles right of the diagonal in the given rows, and their mirror images, contribute. Row-major
/// y += tile * x is column-major y' += x' * tile'.
template <class T>
void multiply_tiles(const Similarities& w, const MatrixView<T>& m, Index row, const Array2<double>& x,
                    Array2<double>& y) {
  const Index n = m.rows, rows = std::min(kTile, n - row), b = x.cols();
  std::vector<double> tile(static_cast<std::size_t>(rows * std::min(n, kTile)));
  const BlasCall call;
  for (Index column = row; column < n; column += kTile) {
    const Index columns = std::min(kTile, n - column);
    read_tile(w, m, row, column, rows, columns, tile.data());
    gemm(false, false, b, rows, columns, 1.0, x.row(column), b, tile.data(), columns, 1.0, y.row(row), b);
    if (column != row)
      gemm(false, true, b, columns, rows, 1.0, x.row(row), b, tile.data(), columns, 1.0, y.row(column), b);
  }
}

/// Half of the matrix is read, and each tile used twice: a product of a full matrix with few vectors takes as long as
/// reading it does. Rows of tiles are dealt out to a fixed number of shares, each with a y of its own, which are added
/// up in their order.
template <class T>
void multiply_full(const Similarities& w, const MatrixView<T>& m, const Array2<double>& x, Array2<double>& y,
                   const Run& run) {
  const Index tiles = block_count(m.rows, kTile), shares = std::min(kShares, tiles);
  std::vector<Array2<double>> sums(static_cast<std::size_t>(shares));
  parallel_for(run, shares, 1, [&](Index share, Index) {
    Array2<double>& sum = sums[static_cast<std::size_t>(share)];
    sum = Array2<double>(y.rows(), y.cols());
    for (Index t = share; t < tiles; t += shares) multiply_tiles(w, m, t * kTile, x, sum);
  });
  parallel_for(run, y.size(), 1 << 14, [&](Index begin, Index end) {
    std::copy(sums[0].data() + begin, sums[0].data() + end, y.data() + begin);
    for (std::size_t s = 1; s < sums.size(); ++s)
      for (Index i = begin; i < end; ++i) y.data()[i] += sums[s].data()[i];
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
  const SingleThreadedBlas guard;
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
