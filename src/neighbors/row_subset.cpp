#include "neighbors/row_subset.h"

namespace unroll {

RowSubset::RowSubset(const MetricRows& from, const std::vector<Index>& chosen) : values_(copied(from.points, chosen)) {
  rows_.points = view_of(values_);
  rows_.scale = from.scale;
  for (const Index i : chosen) {
    if (!from.shift.empty()) rows_.shift.push_back(from.shift_of(i));
    if (!from.factor.empty()) rows_.factor.push_back(from.factor_of(i));
  }
}

}  // namespace unroll
