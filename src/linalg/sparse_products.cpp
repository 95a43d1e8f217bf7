#include "linalg/sparse_products.h"

#include <algorithm>

#include "core/parallel.h"
#include "core/sparse_points.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kSparseChunk = 1024;  // rows whose products with the vectors are kept at once
constexpr Index kRowsAtOnce = 256;
constexpr Index kStrip = simd::kTableColumns;

/// At most 32 pieces: each has D sums of its own.
Index rows_per_piece(Index rows) { return std::max<Index>(1024, block_count(rows, 32)); }

/// Vectors side by side in strips of kStrip, each strip with a row per entry of the vectors.
class Strips {
 public:
  Strips(Index vectors, Index size) : size_(size), values_(block_count(vectors, kStrip) * size, kStrip) {}
  explicit Strips(const Array2<double>& vectors) : Strips(vectors.rows(), vectors.cols()) {
    for (Index k = 0; k < vectors.rows(); ++k)
      for (Index j = 0; j < vectors.cols(); ++j) at(k, j) = vectors(k, j);
  }

  Index count() const { return size_ == 0 ? 0 : values_.rows() / size_; }
  Index size() const { return size_; }
  double* row(Index strip, Index j) { return values_.row(strip * size_ + j); }
  const double* row(Index strip, Index j) const { return values_.row(strip * size_ + j); }
  /// Entry j of vector k.
  double& at(Index k, Index j) { return values_(k / kStrip * size_ + j, k % kStrip); }
  double at(Index k, Index j) const { return values_(k / kStrip * size_ + j, k % kStrip); }

 private:
  Index size_;
  Array2<double> values_;
};

/// center . q for every vector q.
std::vector<double> products_with(const std::vector<double>& center, const Strips& table) {
  std::vector<double> sums(static_cast<std::size_t>(table.count() * kStrip));
  for (Index s = 0; s < table.count(); ++s)
    for (Index j = 0; j < table.size(); ++j)
      for (Index k = 0; k < kStrip; ++k)
        sums[static_cast<std::size_t>(s * kStrip + k)] += center[static_cast<std::size_t>(j)] * table.row(s, j)[k];
  return sums;
}

/// A sparse row visits rows of the table all over it, and more bytes of the table than of the data are moved. So
/// columns are cut into panels: the part of a strip that a panel visits stays in the first-level cache while rows pass
/// by.
constexpr Index kPanelColumns = 192;
Index panels_of(Index cols) { return std::max<Index>(1, block_count(cols, kPanelColumns)); }

/// Rows [first, first + size) of the data, and where each panel begins in each of them.
template <class Value, class Place>
class Chunk {
 public:
  Chunk(const CsrView<Value, Place>& x, double scale)
      : x_(x),
        scale_(scale),
        panels_(panels_of(x.cols)),
        bounds_(static_cast<std::size_t>((panels_ + 1) * kSparseChunk)) {}

  void start(Index first) {
    first_ = first;
    size_ = std::min(kSparseChunk, x_.rows - first);
  }
  Index size() const { return size_; }
  Index panels() const { return panels_; }

  /// Finds where the panels begin in rows [begin, end) of the chunk.
  void cut(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index e = x_.begin(first_ + i);
      const Index last = x_.end(first_ + i);
      for (Index p = 0; p < panels_; ++p) {
        bound(p, i) = e;
        const Index beyond = (p + 1) * kPanelColumns;
        while (e < last && static_cast<Index>(x_.columns[e]) < beyond) ++e;
      }
      bound(panels_, i) = last;
    }
  }
  simd::SparseBlock<Value, Place> block(Index panel, Index begin, Index end) {
    return {x_.values, x_.columns, &bound(panel, begin), &bound(panel + 1, begin), end - begin, scale_};
  }

 private:
  Index& bound(Index panel, Index i) { return bounds_[static_cast<std::size_t>(panel * kSparseChunk + i)]; }

  CsrView<Value, Place> x_;
  double scale_;
  Index panels_;
  Index first_ = 0;
  Index size_ = 0;
  std::vector<Index> bounds_;
};

/// out = scale X table - 1 (constants) for the rows of a chunk.
template <class Value, class Place>
void multiply(Chunk<Value, Place>& chunk, const Strips& table, const std::vector<double>& constants, Strips& out,
              const Run& run) {
  const auto& kernels = simd::kernels().sparse.of<Value, Place>();
  parallel_for(run, chunk.size(), kRowsAtOnce, [&](Index begin, Index end) {
    chunk.cut(begin, end);
    for (Index s = 0; s < table.count(); ++s) std::fill_n(out.row(s, begin), (end - begin) * kStrip, 0.0);
    for (Index p = 0; p < chunk.panels(); ++p)
      for (Index s = 0; s < table.count(); ++s)
        kernels.gather(chunk.block(p, begin, end), table.row(s, 0), out.row(s, begin));
    for (Index s = 0; s < table.count(); ++s)
      for (Index i = begin; i < end; ++i)
        for (Index k = 0; k < kStrip; ++k) out.row(s, i)[k] -= constants[static_cast<std::size_t>(s * kStrip + k)];
  });
}

/// Sums over the entries of a feature, and how many there are.
struct ColumnSums {
  std::vector<double> sum;
  std::vector<Index> count;
};
ColumnSums added(ColumnSums all, const ColumnSums& part) {
  for (std::size_t j = 0; j < all.sum.size(); ++j) {
    all.sum[j] += part.sum[j];
    all.count[j] += part.count[j];
  }
  return all;
}

/// Per feature the sum of term(value, feature) over its entries.
template <class Term>
ColumnSums column_sums(const SparseRows& rows, const Run& run, const Term& term) {
  const auto cols = static_cast<std::size_t>(rows.cols());
  const ColumnSums none{std::vector<double>(cols), std::vector<Index>(cols)};
  return rows.visit([&](const auto& x) {
    return parallel_reduce(
        run, x.rows, rows_per_piece(x.rows), none,
        [&](Index begin, Index end) {
          ColumnSums part = none;
          for (Index e = x.begin(begin); e < x.end(end - 1); ++e) {
            const auto j = static_cast<std::size_t>(x.columns[e]);
            part.sum[j] += term(static_cast<double>(x.values[e]), j);
            ++part.count[j];
          }
          return part;
        },
        added);
  });
}

}  // namespace

CenteredPoints centered_sparse(const SparseRows& rows, const Run& run) {
  CenteredPoints z{.points = rows, .scale = unit_scale(largest_entry(rows, run))};
  std::vector<double>& center = z.center;
  center.resize(static_cast<std::size_t>(rows.cols()));
  rows.visit([&](const auto& x) {
    for (Index e = x.begin(0); e < x.end(0); ++e)
      center[static_cast<std::size_t>(x.columns[e])] = z.scale * static_cast<double>(x.values[e]);
  });
  // Sums are of differences from the first row: the mean of equal rows is exact.
  const ColumnSums sums =
      column_sums(rows, run, [&](double value, std::size_t j) { return z.scale * value - center[j]; });
  const auto n = static_cast<double>(rows.rows());
  for (std::size_t j = 0; j < center.size(); ++j)
    center[j] += (sums.sum[j] - (n - static_cast<double>(sums.count[j])) * center[j]) / n;
  return z;
}

double sparse_squared_norm(const CenteredPoints& z, const Run& run) {
  const ColumnSums sums = column_sums(z.points.sparse(), run, [&](double value, std::size_t j) {
    const double own = z.scale * value - z.center[j];
    return own * own;
  });
  double total = 0;
  for (std::size_t j = 0; j < z.center.size(); ++j)
    total += sums.sum[j] + static_cast<double>(z.rows() - sums.count[j]) * (z.center[j] * z.center[j]);
  return total;
}

void pack_sparse(const CenteredPoints& z, Index first, Index count, Index first_col, Index col_count, double* out) {
  z.points.sparse().visit([&](const auto& x) {
    for (Index i = 0; i < count; ++i) {
      double* row = out + i * col_count;
      for (Index j = 0; j < col_count; ++j) row[j] = -z.center[static_cast<std::size_t>(first_col + j)];
      const auto* begin = x.columns + x.begin(first + i);
      const auto* end = x.columns + x.end(first + i);
      for (const auto* column = std::lower_bound(begin, end, first_col);
           column != end && static_cast<Index>(*column) < first_col + col_count; ++column)
        row[static_cast<Index>(*column) - first_col] += z.scale * static_cast<double>(x.values[column - x.columns]);
    }
  });
}

Array2<double> sparse_scatter_product(const CenteredPoints& z, const Array2<double>& q, const Run& run) {
  const Strips table(q);
  const std::vector<double> constants = products_with(z.center, table);
  Strips sums(q.rows(), q.cols()), scores(q.rows(), std::min(kSparseChunk, z.rows()));
  std::vector<double> totals(constants.size());
  z.points.sparse().visit([&]<class Value, class Place>(const CsrView<Value, Place>& x) {
    const auto& kernels = simd::kernels().sparse.of<Value, Place>();
    Chunk<Value, Place> chunk(x, z.scale);
    for (Index first = 0; first < x.rows; first += kSparseChunk) {
      chunk.start(first);
      multiply(chunk, table, constants, scores, run);
      parallel_for(run, chunk.panels(), 1, [&](Index p, Index) {
        for (Index s = 0; s < table.count(); ++s)
          kernels.scatter(chunk.block(p, 0, chunk.size()), scores.row(s, 0), sums.row(s, 0));
      });
      for (Index s = 0; s < table.count(); ++s)
        for (Index i = 0; i < chunk.size(); ++i)
          for (Index k = 0; k < kStrip; ++k) totals[static_cast<std::size_t>(s * kStrip + k)] += scores.row(s, i)[k];
      run.check_cancelled();
    }
  });
  Array2<double> result = Array2<double>::uninitialized(q.rows(), q.cols());
  for (Index k = 0; k < q.rows(); ++k)
    for (Index j = 0; j < q.cols(); ++j)
      result(k, j) = sums.at(k, j) - z.center[static_cast<std::size_t>(j)] * totals[static_cast<std::size_t>(k)];
  return result;
}

Array2<double> project_sparse(const SparseRows& rows, double scale, const std::vector<double>& center,
                              const Array2<double>& axes, const Run& run) {
  const Strips table(axes);
  const std::vector<double> constants = products_with(center, table);
  Strips scores(axes.rows(), std::min(kSparseChunk, rows.rows()));
  Array2<double> result = Array2<double>::uninitialized(rows.rows(), axes.rows());
  rows.visit([&]<class Value, class Place>(const CsrView<Value, Place>& x) {
    Chunk<Value, Place> chunk(x, scale);
    for (Index first = 0; first < x.rows; first += kSparseChunk) {
      chunk.start(first);
      multiply(chunk, table, constants, scores, run);
      for (Index i = 0; i < chunk.size(); ++i)
        for (Index k = 0; k < axes.rows(); ++k) result(first + i, k) = scores.at(k, i);
    }
  });
  return result;
}

}  // namespace unroll
