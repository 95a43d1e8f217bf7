#include "linalg/sparse_products.h"

#include <algorithm>

#include "core/parallel.h"
#include "core/sparse_points.h"
#include "simd/kernels.h"

namespace unroll {
namespace {

constexpr Index kSparseChunk = 4096;  // rows whose products with the vectors are kept at once
constexpr Index kRowsAtOnce = 256;

/// At most 32 pieces: each has D sums of its own.
Index rows_per_piece(Index rows) { return std::max<Index>(1024, block_count(rows, 32)); }

/// Vectors side by side, a row per feature, padded to whole columns of the kernels.
Array2<double> table_of(const Array2<double>& vectors) {
  Array2<double> table(vectors.cols(), block_count(vectors.rows(), simd::kTableColumns) * simd::kTableColumns);
  for (Index k = 0; k < vectors.rows(); ++k)
    for (Index j = 0; j < vectors.cols(); ++j) table(j, k) = vectors(k, j);
  return table;
}

/// center . q for every column q of the table.
std::vector<double> products_with(const std::vector<double>& center, const Array2<double>& table) {
  std::vector<double> sums(static_cast<std::size_t>(table.cols()));
  for (Index j = 0; j < table.rows(); ++j)
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += center[static_cast<std::size_t>(j)] * table(j, static_cast<Index>(k));
  return sums;
}

/// Rows of a table are visited in the order of the columns of a sparse row, all over the table. Columns are cut into
/// panels, whose part of the table stays in the second-level cache while the rows of a chunk pass by.
struct Panels {
  Index columns = 1;  ///< per panel
  Index count = 1;

  explicit Panels(const Array2<double>& table) {
    constexpr Index kBytes = Index{200} << 10U;
    const Index row_bytes = table.cols() * static_cast<Index>(sizeof(double));
    columns = std::max<Index>(16, kBytes / std::max<Index>(row_bytes, 1));
    count = std::max<Index>(1, block_count(table.rows(), columns));
  }
};

/// Rows [first, first + size) of the data, and where each panel begins in each of them.
template <class Value, class Place>
class Chunk {
 public:
  Chunk(const CsrView<Value, Place>& x, double scale, const Panels& panels)
      : x_(x), scale_(scale), panels_(panels), bounds_(static_cast<std::size_t>((panels.count + 1) * kSparseChunk)) {}

  void start(Index first) {
    first_ = first;
    size_ = std::min(kSparseChunk, x_.rows - first);
  }
  Index size() const { return size_; }

  /// Finds where the panels begin in rows [begin, end) of the chunk.
  void cut(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index e = x_.begin(first_ + i);
      const Index last = x_.end(first_ + i);
      for (Index p = 0; p < panels_.count; ++p) {
        bound(p, i) = e;
        const Index beyond = (p + 1) * panels_.columns;
        while (e < last && static_cast<Index>(x_.columns[e]) < beyond) ++e;
      }
      bound(panels_.count, i) = last;
    }
  }
  simd::SparseBlock<Value, Place> block(Index panel, Index begin, Index end) {
    return {x_.values, x_.columns, &bound(panel, begin), &bound(panel + 1, begin), end - begin, scale_};
  }

 private:
  Index& bound(Index panel, Index i) { return bounds_[static_cast<std::size_t>(panel * kSparseChunk + i)]; }

  CsrView<Value, Place> x_;
  double scale_;
  Panels panels_;
  Index first_ = 0;
  Index size_ = 0;
  std::vector<Index> bounds_;
};

/// out = scale X table - 1 (constants) for the rows of a chunk.
template <class Value, class Place>
void multiply(Chunk<Value, Place>& chunk, const Panels& panels, const Array2<double>& table,
              const std::vector<double>& constants, Array2<double>& out, const Run& run) {
  const auto& kernels = simd::kernels().sparse.of<Value, Place>();
  const Index width = table.cols();
  parallel_for(run, chunk.size(), kRowsAtOnce, [&](Index begin, Index end) {
    chunk.cut(begin, end);
    std::fill_n(out.row(begin), (end - begin) * width, 0.0);
    for (Index p = 0; p < panels.count; ++p)
      kernels.gather(chunk.block(p, begin, end), table.data(), width, out.row(begin));
    for (Index i = begin; i < end; ++i)
      for (Index k = 0; k < width; ++k) out(i, k) -= constants[static_cast<std::size_t>(k)];
  });
}

/// Sums over the entries of a feature, and how many there are.
struct ColumnSums {
  std::vector<double> sum;
  std::vector<Index> count;
};
ColumnSums merged(ColumnSums all, const ColumnSums& part) {
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
        merged);
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
  const Array2<double> table = table_of(q);
  const std::vector<double> constants = products_with(z.center, table);
  const Panels panels(table);
  const Index width = table.cols();
  Array2<double> sums(table.rows(), width), scores = Array2<double>::uninitialized(std::min(kSparseChunk, z.rows()), width);
  std::vector<double> totals(static_cast<std::size_t>(width));
  z.points.sparse().visit([&]<class Value, class Place>(const CsrView<Value, Place>& x) {
    const auto& kernels = simd::kernels().sparse.of<Value, Place>();
    Chunk<Value, Place> chunk(x, z.scale, panels);
    for (Index first = 0; first < x.rows; first += kSparseChunk) {
      chunk.start(first);
      multiply(chunk, panels, table, constants, scores, run);
      parallel_for(run, panels.count, 1, [&](Index p, Index) {
        kernels.scatter(chunk.block(p, 0, chunk.size()), scores.data(), width, sums.data());
      });
      for (Index i = 0; i < chunk.size(); ++i)
        for (Index k = 0; k < width; ++k) totals[static_cast<std::size_t>(k)] += scores(i, k);
      run.check_cancelled();
    }
  });
  Array2<double> result = Array2<double>::uninitialized(q.rows(), q.cols());
  for (Index k = 0; k < q.rows(); ++k)
    for (Index j = 0; j < q.cols(); ++j)
      result(k, j) = sums(j, k) - z.center[static_cast<std::size_t>(j)] * totals[static_cast<std::size_t>(k)];
  return result;
}

Array2<double> project_sparse(const SparseRows& rows, double scale, const std::vector<double>& center,
                              const Array2<double>& axes, const Run& run) {
  const Array2<double> table = table_of(axes);
  const std::vector<double> constants = products_with(center, table);
  const Panels panels(table);
  Array2<double> scores = Array2<double>::uninitialized(std::min(kSparseChunk, rows.rows()), table.cols());
  Array2<double> result = Array2<double>::uninitialized(rows.rows(), axes.rows());
  rows.visit([&]<class Value, class Place>(const CsrView<Value, Place>& x) {
    Chunk<Value, Place> chunk(x, scale, panels);
    for (Index first = 0; first < x.rows; first += kSparseChunk) {
      chunk.start(first);
      multiply(chunk, panels, table, constants, scores, run);
      for (Index i = 0; i < chunk.size(); ++i) std::copy_n(scores.row(i), axes.rows(), result.row(first + i));
    }
  });
  return result;
}

}  // namespace unroll
