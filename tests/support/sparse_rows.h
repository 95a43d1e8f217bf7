#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// The entries of a matrix that are not 0.
inline SparseMatrix entries_of(const Array2<double>& a) {
  SparseMatrix result{.rows = a.rows(), .cols = a.cols()};
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      if (a(i, j) == 0) continue;
      result.columns.push_back(j);
      result.values.push_back(a(i, j));
    }
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

/// Whole numbers up to 9, so many of them not 0. Their distances have no rounding.
inline Array2<double> sparse_counts(Index rows, Index cols, double filled, std::uint64_t seed = 0) {
  const Random random(seed, "sparse counts");
  Array2<double> x(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const auto at = static_cast<std::uint64_t>(i * cols + j);
      if (random.uniform(at, 0) < filled) x(i, j) = 1 + static_cast<double>(random.below(9, at, 1));
    }
  return x;
}

/// The same matrix with 32 bits for every number.
struct NarrowRows {
  explicit NarrowRows(const SparseMatrix& m)
      : rows(m.rows),
        cols(m.cols),
        offsets(m.offsets.begin(), m.offsets.end()),
        columns(m.columns.begin(), m.columns.end()),
        values(m.values.begin(), m.values.end()) {}
  SparseRows view() const { return {rows, cols, offsets.data(), columns.data(), values.data()}; }

  Index rows, cols;
  std::vector<std::int32_t> offsets, columns;
  std::vector<float> values;
};

}  // namespace unroll
