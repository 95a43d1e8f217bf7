#include "neighbors/row_subset.h"

#include <algorithm>

namespace unroll {

RowSubset::RowSubset(const MetricRows& from, const std::vector<Index>& chosen) {
  from.points.visit([&]<class T>(MatrixView<T> x) {
    auto& copy = values_.emplace<Array2<T>>(static_cast<Index>(chosen.size()), x.cols);
    for (Index i = 0; i < copy.rows(); ++i)
      std::copy_n(x.row(chosen[static_cast<std::size_t>(i)]), x.cols, copy.row(i));
    rows_.points = copy;
  });
  rows_.scale = from.scale;
  for (const Index i : chosen) {
    if (!from.shift.empty()) rows_.shift.push_back(from.shift_of(i));
    if (!from.factor.empty()) rows_.factor.push_back(from.factor_of(i));
  }
}

}  // namespace unroll
