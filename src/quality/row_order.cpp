#include "quality/row_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/at.h"

namespace unroll {

RowOrder::RowOrder(Index n) : items_(at(n - 1)), spare_(items_.size()), counts_(kDigits * kBuckets) {}

void RowOrder::sort(const double* distances, Index own) {
  std::fill(counts_.begin(), counts_.end(), 0U);
  for (std::size_t place = 0, j = 0; place < items_.size(); ++place, ++j) {
    if (j == at(own)) ++j;
    const auto key = std::bit_cast<std::uint32_t>(std::abs(static_cast<float>(distances[j])));  // -0 is 0
    const Item item = Item{key} << kIndexBits | j;
    items_[place] = item;
    for (int digit = 0; digit < kDigits; ++digit) ++counts_[at(digit) * kBuckets + digit_of(item, digit)];
  }
  for (int digit = 0; digit < kDigits; ++digit) sort_by(digit);
  settle_ties(distances);
}

/// Stable, so that after the last digit points of equal keys are in the order of their indices.
void RowOrder::sort_by(int digit) {
  std::uint32_t* counts = counts_.data() + at(digit) * kBuckets;
  if (counts[digit_of(items_.front(), digit)] == items_.size()) return;  // all in one bucket
  std::uint32_t before = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) before += std::exchange(counts[bucket], before);
  for (const Item item : items_) spare_[counts[digit_of(item, digit)]++] = item;
  items_.swap(spare_);
}

void RowOrder::settle_ties(const double* distances) {
  const auto nearer = [distances](Item a, Item b) {
    const double to_a = distances[point(a)], to_b = distances[point(b)];
    return to_a < to_b || (to_a == to_b && point(a) < point(b));
  };
  for (auto first = items_.begin(); first != items_.end();) {
    auto last = first + 1;
    while (last != items_.end() && *last >> kIndexBits == *first >> kIndexBits) ++last;
    if (last - first > 1 && !std::is_sorted(first, last, nearer)) std::sort(first, last, nearer);
    first = last;
  }
}

}  // namespace unroll
