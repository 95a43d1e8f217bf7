#include "layout/monotone_regression.h"

#include <algorithm>
#include <cstddef>

namespace unroll {
namespace {

/// Neighbours with one value.
struct Pool {
  double sum, weight;
  std::size_t end;  ///< one past its last value
  double mean() const { return sum / weight; }
};

}  // namespace

void monotone_regression(std::span<double> values, std::span<const double> weights) {
  std::vector<Pool> pools;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double weight = weights.empty() ? 1 : weights[k];
    Pool last{weight * values[k], weight, k + 1};
    while (!pools.empty() && pools.back().mean() > last.mean()) {
      last.sum += pools.back().sum, last.weight += pools.back().weight;
      pools.pop_back();
    }
    pools.push_back(last);
  }
  std::size_t begin = 0;
  for (const Pool& pool : pools) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(begin),
              values.begin() + static_cast<std::ptrdiff_t>(pool.end), pool.mean());
    begin = pool.end;
  }
}

}  // namespace unroll
