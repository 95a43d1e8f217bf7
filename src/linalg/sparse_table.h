#pragma once
#include <vector>

#include "simd/kernels.h"
#include "unroll/core/types.h"

namespace unroll {

/// A few sparse rows as the columns of a table with a row per feature, for their inner products with many others. The
/// sum of a pair runs over the columns that both have, ascending: its bits depend neither on the pairs beside it nor on
/// which of the two is in the table.
class SparseTable {
 public:
  static constexpr Index kColumns = simd::kTableColumns;

  explicit SparseTable(Index features) : table_(features, kColumns) {}

  /// Puts factor(i) x_i of rows [first, first + count) into the table, which has no others.
  template <class Factor>
  void fill(const SparseRows& rows, Index first, Index count, const Factor& factor) {
    rows.visit([&](const auto& x) {
      for (Index q = 0; q < count; ++q) {
        const double own = factor(first + q);
        for (Index e = x.begin(first + q); e < x.end(first + q); ++e)
          table_(static_cast<Index>(x.columns[e]), q) = own * static_cast<double>(x.values[e]);
      }
    });
  }
  /// Takes these rows out again.
  void clear(const SparseRows& rows, Index first, Index count) {
    rows.visit([&](const auto& x) {
      if (count == 0) return;
      for (Index e = x.begin(first); e < x.end(first + count - 1); ++e)
        std::fill_n(table_.row(static_cast<Index>(x.columns[e])), kColumns, 0.0);
    });
  }

  /// products(i, :) = scale x_i . the columns, for rows [first, first + count): kColumns numbers each.
  void multiply(const SparseRows& rows, Index first, Index count, double scale, std::vector<double>& products) const {
    products.assign(static_cast<std::size_t>(count * kColumns), 0.0);
    rows.visit([&]<class Value, class Place>(const CsrView<Value, Place>& x) {
      const std::vector<Index> bounds(x.offsets + first, x.offsets + first + count + 1);
      simd::kernels().sparse.of<Value, Place>().gather(
          {x.values, x.columns, bounds.data(), bounds.data() + 1, count, scale}, table_.data(), products.data());
    });
  }

 private:
  Array2<double> table_;
};

}  // namespace unroll
