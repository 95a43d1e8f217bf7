#include "core/sparse_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse_structure(const std::string& what) {
  throw Error(ErrorKind::InvalidData, fmt::format("the sparse rows are broken: {}", what),
              "in SciPy, sum_duplicates() repairs columns that do not ascend");
}

template <class Value, class From, class Place>
SparsePoints converted(const CsrView<From, Place>& x, const std::vector<Index>& chosen) {
  const Index count = chosen.empty() ? x.rows : std::ssize(chosen);
  const auto row = [&](Index i) { return chosen.empty() ? i : chosen[static_cast<std::size_t>(i)]; };
  CsrArrays<Value, Place> copy{.rows = count, .cols = x.cols};
  copy.offsets.reserve(static_cast<std::size_t>(count) + 1);
  Index entries = 0;
  for (Index i = 0; i < count; ++i)
    copy.offsets.push_back(static_cast<Place>(entries += x.end(row(i)) - x.begin(row(i))));
  copy.columns.reserve(static_cast<std::size_t>(entries));
  copy.values.reserve(static_cast<std::size_t>(entries));
  for (Index i = 0; i < count; ++i) {
    const Index begin = x.begin(row(i)), end = x.end(row(i));
    copy.columns.insert(copy.columns.end(), x.columns + begin, x.columns + end);
    for (Index e = begin; e < end; ++e) copy.values.push_back(static_cast<Value>(x.values[e]));
  }
  return copy;
}

template <class T>
SparsePoints without_zeros(const MatrixView<T>& x) {
  CsrArrays<T, std::int64_t> copy{.rows = x.rows, .cols = x.cols};
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      if (x(i, j) == 0) continue;
      copy.columns.push_back(j);
      copy.values.push_back(x(i, j));
    }
    copy.offsets.push_back(std::ssize(copy.columns));
  }
  return copy;
}

}  // namespace

void refuse_sparse_rows() {
  throw Error(ErrorKind::Unsupported, "the points are sparse rows, which this step cannot read",
              "reduce them first with the option pca, e.g. pca=50, or give dense points");
}

void check_lists(const SparseMatrix& matrix) {
  if (std::ssize(matrix.offsets) != matrix.rows + 1) refuse_structure("offsets must be one more than there are rows");
  if (matrix.columns.size() != matrix.values.size()) refuse_structure("columns and values are not equally many");
  for (const Index offset : matrix.offsets)
    if (offset > std::ssize(matrix.columns)) refuse_structure("an offset points beyond the entries");
}

void check_structure(const SparseRows& rows, const Run& run) {
  constexpr Index kRows = 1024;
  rows.visit([&](const auto& x) {
    if (x.rows == 0) return;
    if (x.begin(0) < 0) refuse_structure("the first offset is negative");
    for (Index i = 0; i < x.rows; ++i)
      if (x.end(i) < x.begin(i)) refuse_structure(fmt::format("the offsets of row {} do not ascend", i + 1));
    if (x.entries() > 0 && (x.columns == nullptr || x.values == nullptr))
      refuse_structure("columns or values are at a null pointer");
    parallel_for(run, x.rows, kRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index e = x.begin(i); e < x.end(i); ++e) {
          const auto column = static_cast<Index>(x.columns[e]);
          if (column < 0 || column >= x.cols)
            refuse_structure(fmt::format("row {} has column {}, of {}", i + 1, column, x.cols));
          if (e > x.begin(i) && column <= static_cast<Index>(x.columns[e - 1]))
            refuse_structure(fmt::format("the columns of row {} do not ascend", i + 1));
        }
    });
  });
}

SparsePoints copied_rows(const SparseRows& rows, bool is_float, const std::vector<Index>& chosen) {
  return rows.visit(
      [&](const auto& x) { return is_float ? converted<float>(x, chosen) : converted<double>(x, chosen); });
}

SparsePoints sparse_copy(PointsView dense) {
  return dense.visit([](const auto& x) { return without_zeros(x); });
}

DensePoints dense_copy(const SparseRows& rows) {
  return rows.visit([]<class T, class Place>(const CsrView<T, Place>& x) -> DensePoints {
    Array2<T> copy(x.rows, x.cols);
    for (Index i = 0; i < x.rows; ++i)
      for (Index e = x.begin(i); e < x.end(i); ++e) copy(i, static_cast<Index>(x.columns[e])) = x.values[e];
    return copy;
  });
}

double largest_entry(const SparseRows& rows, const Run& run) {
  constexpr Index kRows = 4096;
  return rows.visit([&](const auto& x) {
    return parallel_reduce(
        run, x.rows, kRows, 0.0,
        [&](Index begin, Index end) {
          double largest = 0;
          for (Index e = x.begin(begin); e < x.end(end - 1); ++e)
            largest = std::max(largest, std::abs(static_cast<double>(x.values[e])));
          return largest;
        },
        [](double a, double b) { return std::max(a, b); });
  });
}

bool equal_rows(const SparseRows& x, Index i, const SparseRows& y, Index j) {
  bool equal = true;
  x.visit([&](const auto& a) {
    y.visit([&](const auto& b) { merge_rows(a, i, b, j, [&](double u, double v) { equal = equal && u == v; }); });
  });
  return equal;
}

}  // namespace unroll
