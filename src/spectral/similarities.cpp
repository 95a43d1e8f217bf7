#include "spectral/similarities.h"

#include <algorithm>

#include "core/parallel.h"
#include "linalg/blas.h"

namespace unroll {
namespace {

// A tile of W in double stays in a second-level cache while it is multiplied.
constexpr Index kRows = 32;
constexpr Index kColumns = 512;

/// Rows [begin, end) of y = W x. Row-major y += tile * x is column-major y' += x' * tile'.
template <class T>
void multiply_rows(const Similarities& w, const MatrixView<T>& m, Index begin, Index end, const Array2<double>& x,
                   Array2<double>& y) {
  const Index rows = end - begin, b = x.cols();
  std::vector<double> tile(static_cast<std::size_t>(rows * std::min(m.cols, kColumns)));
  const BlasCall call;
  for (Index j = 0; j < m.cols; j += kColumns) {
    const Index columns = std::min(kColumns, m.cols - j);
    for (Index i = 0; i < rows; ++i)
      std::transform(m.row(begin + i) + j, m.row(begin + i) + j + columns, tile.data() + i * columns,
                     [&](T stored) { return similarity(w.entries, w.scale, static_cast<double>(stored)); });
    gemm(false, false, b, rows, columns, 1.0, x.row(j), b, tile.data(), columns, j == 0 ? 0.0 : 1.0, y.row(begin), b);
  }
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
  const SingleThreadedBlas guard;
  std::visit(
      [&](const auto& m) {
        parallel_for(run, size_of(m), kRows, [&](Index begin, Index end) { multiply_rows(w, m, begin, end, x, y); });
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
