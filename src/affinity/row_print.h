#pragma once
#include <bit>
#include <cstdint>

#include "unroll/core/types.h"

namespace unroll {

/// A 64-bit hash of a row of numbers, to recognise the row without storing it. Entries of 0 do not count.
class RowPrint {
 public:
  void add(Index column, double entry) {
    bits_ = mixed(mixed(bits_ ^ static_cast<std::uint64_t>(column)) ^ std::bit_cast<std::uint64_t>(entry));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(bits_); }

 private:
  /// The finaliser of SplitMix64 (Steele, Lea & Flood 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
  }

  std::uint64_t bits_ = 0;
};

}  // namespace unroll
