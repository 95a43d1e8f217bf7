#include "sparse/breadth_first.h"

#include "core/at.h"

namespace unroll {

std::vector<Index> breadth_first_order(const std::vector<Index>& offsets, const std::vector<Index>& neighbors) {
  constexpr Index kAhead = 16;  // rows to prefetch: they may be anywhere in memory
  const auto n = std::ssize(offsets) - 1;
  std::vector<Index> order(at(n));
  std::vector<char> is_met(at(n));
  Index met = 0;
  const auto meet = [&](Index v) {
    if (is_met[at(v)] != 0) return;
    is_met[at(v)] = 1;
    order[at(met++)] = v;
  };
  for (Index start = 0, next = 0; start < n; ++start) {
    meet(start);
    for (; next < met; ++next) {
      if (next + kAhead < met) __builtin_prefetch(neighbors.data() + offsets[at(order[at(next + kAhead)])]);
      for (Index e = offsets[at(order[at(next)])]; e < offsets[at(order[at(next)]) + 1]; ++e) meet(neighbors[at(e)]);
    }
  }
  return order;
}

}  // namespace unroll
