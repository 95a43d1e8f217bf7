#include "layout/monotone_regression.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace unroll {

// There may be as many pools as values, and values are many: the sum of pool q stands in values[q], since no pool comes
// before its first value.
void monotone_regression(std::span<double> values) {
  std::vector<std::uint32_t> ends;  // one past the last value of every pool
  ends.reserve(values.size());
  const auto size_of = [&](std::size_t pool) {
    return static_cast<double>(ends[pool] - (pool > 0 ? ends[pool - 1] : 0));
  };
  for (std::size_t k = 0; k < values.size(); ++k) {
    double sum = values[k], size = 1;
    for (std::size_t last = ends.size(); last-- > 0 && values[last] / size_of(last) > sum / size; ends.pop_back())
      sum += values[last], size += size_of(last);
    values[ends.size()] = sum;
    ends.push_back(static_cast<std::uint32_t>(k + 1));
  }
  for (std::size_t pool = ends.size(); pool-- > 0;) {
    const double mean = values[pool] / size_of(pool);
    const auto first = static_cast<std::ptrdiff_t>(pool > 0 ? ends[pool - 1] : 0);
    std::fill(values.begin() + first, values.begin() + static_cast<std::ptrdiff_t>(ends[pool]), mean);
  }
}

}  // namespace unroll
