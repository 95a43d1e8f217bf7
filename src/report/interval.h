#pragma once
#include <algorithm>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

struct Interval {
  double low = 0;
  double high = 0;

  // Halves, since the difference of two large numbers may be infinite.
  double middle() const { return low / 2 + high / 2; }
  double half() const { return high / 2 - low / 2; }
};

/// From the least to the greatest value of some rows.
template <class Value>
Interval interval_of(const std::vector<Index>& rows, Value&& value) {
  Interval found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = value(rows[i]);
    found = {i == 0 ? x : std::min(found.low, x), i == 0 ? x : std::max(found.high, x)};
  }
  return found;
}

/// From the `share` quantile to the one that leaves as many above it: of few values, all of them.
inline Interval window_of(std::vector<double> values, double share) {
  if (values.empty()) return {};
  const auto aside = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  const auto low = values.begin() + aside, high = values.end() - 1 - aside;
  std::nth_element(values.begin(), low, values.end());
  const double least = *low;  // the next selection may move it
  std::nth_element(low, high, values.end());
  return {least, *high};
}

}  // namespace unroll
