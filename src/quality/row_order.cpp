#include "quality/row_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/at.h"

namespace unroll {

RowOrder::RowOrder(Index n)
    : items_(Array2<Item>::uninitialized(1, n - 1)),
      spare_(Array2<Item>::uninitialized(1, n - 1)),
      counts_(kDigits * kBuckets) {}

void RowOrder::sort(const double* distances, Index own) {
  std::fill(counts_.begin(), counts_.end(), 0U);
  Item* item = items_.data();
  for (Index j = 0; j <= items_.size(); ++j) {
    if (j == own) continue;
    const auto key = std::bit_cast<std::uint32_t>(std::abs(static_cast<float>(distances[j])));  // -0 is 0
    *item = Item{key} << kIndexBits | static_cast<Item>(j);
    for (int digit = 0; digit < kDigits; ++digit) ++counts_[at(digit) * kBuckets + digit_of(*item, digit)];
    ++item;
  }
  for (int digit = 0; digit < kDigits; ++digit) sort_by(digit);
  settle_ties(distances);
}

/// Stable, so that after the last digit points of equal keys are in the order of their indices.
void RowOrder::sort_by(int digit) {
  std::uint32_t* counts = counts_.data() + at(digit) * kBuckets;
  const std::span items(items_.data(), at(items_.size()));
  if (counts[digit_of(items.front(), digit)] == items.size()) return;  // all in one bucket
  std::uint32_t before = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) before += std::exchange(counts[bucket], before);
  Item* sorted = spare_.data();
  for (const Item item : items) sorted[counts[digit_of(item, digit)]++] = item;
  std::swap(items_, spare_);
}

void RowOrder::settle_ties(const double* distances) {
  const auto nearer = [distances](Item a, Item b) {
    const double to_a = distances[point(a)], to_b = distances[point(b)];
    return to_a < to_b || (to_a == to_b && point(a) < point(b));
  };
  Item* const end = items_.data() + items_.size();
  for (Item* first = items_.data(); first != end;) {
    Item* last = first + 1;
    while (last != end && *last >> kIndexBits == *first >> kIndexBits) ++last;
    if (last - first > 1 && !std::is_sorted(first, last, nearer)) std::sort(first, last, nearer);
    first = last;
  }
}

}  // namespace unroll
