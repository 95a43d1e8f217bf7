#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

template <class Value, class Place>
struct CsrArrays {
  Index rows = 0;
  Index cols = 0;
  std::vector<Place> offsets = {0};
  std::vector<Place> columns = {};
  std::vector<Value> values = {};

  CsrView<Value, Place> view() const { return {rows, cols, offsets.data(), columns.data(), values.data()}; }
};

/// Dense points in our own memory, in their original scalar type.
using DensePoints = std::variant<Array2<double>, Array2<float>>;

/// Sparse rows in our own memory, in their original types.
class SparsePoints {
 public:
  SparsePoints() = default;
  template <class Value, class Place>
  SparsePoints(CsrArrays<Value, Place> arrays) : arrays_(std::move(arrays)) {}
  SparseRows view() const {
    return std::visit([](const auto& arrays) { return SparseRows(arrays.view()); }, arrays_);
  }

 private:
  std::variant<CsrArrays<double, std::int64_t>, CsrArrays<float, std::int64_t>, CsrArrays<double, std::int32_t>,
               CsrArrays<float, std::int32_t>>
      arrays_;
};

/// Throws InvalidData unless offsets and columns fit together and columns ascend within rows: a caller's matrix may be
/// anything. Nothing else may look at the rows before.
void check_structure(const SparseRows& rows, const Run& run);

/// A copy, with values as float or double; only of `chosen` rows if any are given. A value that is too large for float
/// becomes infinite.
SparsePoints copied_rows(const SparseRows& rows, bool is_float, const std::vector<Index>& chosen = {});

/// The entries that are not 0 of dense points, in their scalar type.
SparsePoints sparse_copy(PointsView dense);
/// All features of sparse rows, in their scalar type.
DensePoints dense_copy(const SparseRows& rows);

/// The largest |value|; 0 without entries.
double largest_entry(const SparseRows& rows, const Run& run);

/// Whether two rows are the same points: an entry of 0 is no entry.
bool equal_rows(const SparseRows& x, Index i, const SparseRows& y, Index j);

/// Calls both(x, y) for every column that one of two rows has, ascending, with the values in double; 0 where a row has
/// none.
template <class X, class Y, class Both>
void merge_rows(const X& x, Index i, const Y& y, Index j, Both&& both) {
  Index a = x.begin(i), b = y.begin(j);
  const Index a_end = x.end(i), b_end = y.end(j);
  while (a < a_end && b < b_end) {
    const auto p = static_cast<Index>(x.columns[a]), q = static_cast<Index>(y.columns[b]);
    both(p <= q ? static_cast<double>(x.values[a]) : 0.0, q <= p ? static_cast<double>(y.values[b]) : 0.0);
    a += p <= q ? 1 : 0;
    b += q <= p ? 1 : 0;
  }
  for (; a < a_end; ++a) both(static_cast<double>(x.values[a]), 0.0);
  for (; b < b_end; ++b) both(0.0, static_cast<double>(y.values[b]));
}

}  // namespace unroll
