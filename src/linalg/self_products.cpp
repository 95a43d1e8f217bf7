#include "linalg/self_products.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/sparse_products.h"

namespace unroll {
namespace {

constexpr Index kBlockEntries = Index{1} << 21U;  // packed at once: 16 MiB, about a last-level cache
constexpr Index kMaxTile = 256;                   // of the result: large enough for BLAS, small enough to share out
constexpr Index kMinTasks = 16;

/// A symmetric product under construction: the upper triangle of tiles, and for a small side several partial sums
/// ("slices" of the summed dimension), so that there is work for every thread. The order of all additions depends on
/// the sizes alone.
class TiledSum {
 public:
  explicit TiledSum(Index side) : side_(side) {
    const Index tiles = std::max<Index>(1, block_count(side, kMaxTile));
    tile_ = block_count(block_count(side, tiles), 16) * 16;  // nearly equal tiles, multiples of a BLAS kernel's
    for (Index b = 0; b < side; b += tile_)
      for (Index a = 0; a <= b; a += tile_) corners_.emplace_back(a, b);
    const Index slices = block_count(kMinTasks, std::max<Index>(1, std::ssize(corners_)));
    for (Index s = 0; s < slices; ++s) sums_.emplace_back(side, side);
  }

  Index slices() const { return std::ssize(sums_); }

  /// add(slice, a, na, b, nb, c) adds the product of rows a.. and b.. of a slice to the tile at c, whose columns are
  /// `side` apart.
  template <class Add>
  void accumulate(const Run& run, Add&& add) {
    const Index corners = std::ssize(corners_);
    parallel_for(run, slices() * corners, 1, [&](Index task, Index) {
      const Index slice = task / corners;
      const auto [a, b] = corners_[static_cast<std::size_t>(task % corners)];
      add(slice, a, std::min(tile_, side_ - a), b, std::min(tile_, side_ - b),
          sums_[static_cast<std::size_t>(slice)].data() + a + b * side_);
    });
  }

  /// The sum of the slices, both triangles.
  Array2<double> finished() && {
    Array2<double> total = std::move(sums_.front());
    for (std::size_t s = 1; s < sums_.size(); ++s)
      for (Index i = 0; i < total.size(); ++i) total.data()[i] += sums_[s].data()[i];
    for (Index b = 0; b < side_; ++b)
      for (Index a = 0; a < b; ++a)
        total(a, b) = total(b, a);  // (b, a) row-major is (a, b) column-major: the upper half
    return total;
  }

 private:
  Index side_;
  Index tile_;
  std::vector<Array2<double>> sums_;
  std::vector<std::pair<Index, Index>> corners_;
};

/// c = beta c + the product of rows [a, a + na) and [b, b + nb) of a column-major matrix with k columns; for a tile on
/// the diagonal only the upper half.
template <class T>
void tile_product(const T* matrix, Index ld, Index k, Index a, Index na, Index b, Index nb, T beta, T* c, Index ldc) {
  if (a == b) {
    syrk_upper(na, k, T{1}, matrix + a, ld, beta, c, ldc);
  } else {
    gemm(false, true, na, nb, k, T{1}, matrix + a, ld, matrix + b, ld, beta, c, ldc);
  }
}

/// The s-th of `parts` nearly equal pieces of [0, n).
std::pair<Index, Index> piece(Index n, Index parts, Index s) { return {n * s / parts, n * (s + 1) / parts}; }

Index rows_at_once(Index cols) { return std::clamp<Index>(kBlockEntries / std::max<Index>(cols, 1), 64, 8192); }

template <class T, class Pack>
void pack_in_parallel(const Run& run, Index count, Index cols, std::vector<T>& out, Pack&& pack) {
  parallel_for(run, count, 64, [&](Index begin, Index end) { pack(begin, end - begin, out.data() + begin * cols); });
}

Array2<double> scatter_in_double(const CenteredPoints& z, const Run& run) {
  const Index n = z.rows(), cols = z.cols(), rows = std::min(n, rows_at_once(cols));
  TiledSum sum(cols);
  std::vector<double> block(static_cast<std::size_t>(rows * cols));  // column-major: cols x rows
  for (Index first = 0; first < n; first += rows) {
    const Index count = std::min(rows, n - first);
    pack_in_parallel(run, count, cols, block, [&](Index i, Index m, double* out) { z.pack(first + i, m, out); });
    sum.accumulate(run, [&](Index slice, Index a, Index na, Index b, Index nb, double* c) {
      const auto [begin, end] = piece(count, sum.slices(), slice);
      tile_product(block.data() + begin * cols, cols, end - begin, a, na, b, nb, 1.0, c, cols);
    });
    run.report({.stage = "covariance", .fraction = static_cast<double>(first + count) / static_cast<double>(n)});
  }
  return std::move(sum).finished();
}

/// y = 256 * scale * x are integers. With c the middle of each column's range, |y - c| <= r, and sums of up to 2^24 /
/// r^2 products are exact in single precision. Z^T Z = (S - n (m - c)(m - c)^T) / 256^2, m the means of y.
Array2<double> scatter_on_grid(const CenteredPoints& z, const Run& run) {
  constexpr double kUnit = 256;
  const Index n = z.rows(), cols = z.cols(), rows = std::min(n, rows_at_once(cols));
  std::vector<double> middle(static_cast<std::size_t>(cols));
  double reach = 1;
  for (std::size_t j = 0; j < middle.size(); ++j) {
    middle[j] = std::rint(kUnit * (z.low[j] + z.high[j]) / 2);
    reach = std::max({reach, kUnit * z.high[j] - middle[j], middle[j] - kUnit * z.low[j]});
  }
  const auto exact_rows = static_cast<Index>(0x1p24 / (reach * reach));
  TiledSum sum(cols);
  std::vector<float> block(static_cast<std::size_t>(rows * cols));
  for (Index first = 0; first < n; first += rows) {
    const Index count = std::min(rows, n - first);
    pack_in_parallel(run, count, cols, block,
                     [&](Index i, Index m, float* out) { z.pack_float(first + i, m, kUnit, middle, out); });
    sum.accumulate(run, [&](Index slice, Index a, Index na, Index b, Index nb, double* c) {
      std::vector<float> exact(static_cast<std::size_t>(na * nb));
      const auto [begin, end] = piece(count, sum.slices(), slice);
      for (Index i = begin; i < end; i += exact_rows) {
        tile_product(block.data() + i * cols, cols, std::min(exact_rows, end - i), a, na, b, nb, 0.0F, exact.data(),
                     na);
        for (Index v = 0; v < nb; ++v)
          for (Index u = 0; u < na; ++u)
            c[u + v * cols] += static_cast<double>(exact[static_cast<std::size_t>(u + v * na)]);
      }
    });
    run.report({.stage = "covariance", .fraction = static_cast<double>(first + count) / static_cast<double>(n)});
  }
  Array2<double> scatter = std::move(sum).finished();
  std::vector<double> offset(middle.size());
  for (std::size_t j = 0; j < offset.size(); ++j) offset[j] = kUnit * z.center[j] - middle[j];
  for (Index i = 0; i < cols; ++i)
    for (Index j = 0; j < cols; ++j)
      scatter(i, j) -=
          static_cast<double>(n) * (offset[static_cast<std::size_t>(i)] * offset[static_cast<std::size_t>(j)]);
  for (Index i = 0; i < scatter.size(); ++i) scatter.data()[i] /= kUnit * kUnit;
  return scatter;
}

}  // namespace

Array2<double> scatter_matrix(const CenteredPoints& z, const Run& run) {
  const SingleThreadedBlas guard;
  return z.on_grid ? scatter_on_grid(z, run) : scatter_in_double(z, run);
}

Array2<double> gram_matrix(const CenteredPoints& z, const Run& run) {
  const SingleThreadedBlas guard;
  const Index n = z.rows(), cols = z.cols();
  const Index width = std::min(cols, std::max<Index>(64, kBlockEntries / std::max<Index>(n, 1)));
  TiledSum sum(n);
  std::vector<double> block(static_cast<std::size_t>(width * n));  // column-major: width x n
  for (Index first = 0; first < cols; first += width) {
    const Index count = std::min(width, cols - first);
    parallel_for(run, n, 1, [&](Index i, Index) { z.pack(i, 1, first, count, block.data() + i * count); });
    sum.accumulate(run, [&](Index slice, Index a, Index na, Index b, Index nb, double* c) {
      const auto [begin, end] = piece(count, sum.slices(), slice);
      gemm(true, false, na, nb, end - begin, 1.0, block.data() + a * count + begin, count,
           block.data() + b * count + begin, count, 1.0, c, n);
    });
    run.report({.stage = "gram matrix", .fraction = static_cast<double>(first + count) / static_cast<double>(cols)});
  }
  return std::move(sum).finished();
}

Array2<double> scatter_product(const CenteredPoints& z, const Array2<double>& q, const Run& run) {
  if (z.points.is_sparse()) return sparse_scatter_product(z, q, run);
  const SingleThreadedBlas guard;
  const Index n = z.rows(), cols = z.cols(), vectors = q.rows();
  const Index rows = std::min(n, std::clamp<Index>(kBlockEntries / std::max<Index>(cols, 1), 16, 8192));
  constexpr Index kRows = 64, kCols = 256;
  Array2<double> result(vectors, cols);
  std::vector<double> block(static_cast<std::size_t>(rows * cols));
  std::vector<double> scores(static_cast<std::size_t>(rows * vectors));  // column-major: vectors x rows
  for (Index first = 0; first < n; first += rows) {
    const Index count = std::min(rows, n - first);
    parallel_for(run, count, kRows, [&](Index begin, Index end) {
      z.pack(first + begin, end - begin, block.data() + begin * cols);
      gemm(true, false, vectors, end - begin, cols, 1.0, q.data(), cols, block.data() + begin * cols, cols, 0.0,
           scores.data() + begin * vectors, vectors);
    });
    parallel_for(run, cols, kCols, [&](Index begin, Index end) {
      gemm(false, true, end - begin, vectors, count, 1.0, block.data() + begin, cols, scores.data(), vectors, 1.0,
           result.data() + begin, cols);
    });
    run.check_cancelled();
  }
  return result;
}

}  // namespace unroll
