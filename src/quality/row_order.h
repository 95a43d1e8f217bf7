#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Sorts points by their distance from one of them, ties by index, as the judge of neighbours does. It is a radix sort
/// of the distances in single precision; where these are equal, doubles decide. Of 5 000 points it takes a tenth of the
/// time of std::sort.
class RowOrder {
 public:
  explicit RowOrder(Index n);

  /// Sorts all points but `own`. There is a distance for every point, none negative and none above the largest float.
  void sort(const double* distances, Index own);
  /// The point at this place of the order, from 0.
  std::uint32_t operator[](Index place) const { return point(items_[static_cast<std::size_t>(place)]); }

 private:
  /// The bits of a float that is not negative, which grow with it, and behind them the index of the point.
  using Item = std::uint64_t;
  static constexpr int kIndexBits = 32, kDigitBits = 11, kDigits = 3;
  static constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;

  static std::uint32_t point(Item item) { return static_cast<std::uint32_t>(item); }
  static std::size_t digit_of(Item item, int digit) { return (item >> (kIndexBits + digit * kDigitBits)) % kBuckets; }
  void sort_by(int digit);
  void settle_ties(const double* distances);

  std::vector<Item> items_, spare_;
  std::vector<std::uint32_t> counts_;  ///< per digit and bucket
};

}  // namespace unroll
