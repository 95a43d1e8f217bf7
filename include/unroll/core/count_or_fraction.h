#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>

namespace unroll {

/// A whole number of things, or a share of them between 0 and 1: `5` is five components, `0.95` as many as hold 95 % of
/// the variance. Made from any integer or floating-point number; a bool is none. A number that is neither, such as 2.5,
/// is kept as it is, so that validation can name it.
class CountOrFraction {
 public:
  template <std::integral T>
  requires(!std::same_as<T, bool>) constexpr CountOrFraction(T count) : count_(static_cast<std::int64_t>(count)) {}
  template <std::floating_point T>
  CountOrFraction(T number) {
    constexpr double kMost = 9007199254740992;  // 2^53: above it doubles are whole, but not all whole numbers
    const auto wide = static_cast<double>(number);
    if (std::abs(wide) <= kMost && wide == std::floor(wide)) {
      count_ = static_cast<std::int64_t>(wide);
    } else {
      fraction_ = wide;
      is_count_ = false;
    }
  }

  bool is_count() const { return is_count_; }
  std::int64_t count() const { return count_; }  ///< 0 unless is_count
  double fraction() const { return fraction_; }  ///< 0 if is_count
  /// Either of them as a number.
  double number() const { return is_count_ ? static_cast<double>(count_) : fraction_; }
  bool operator==(const CountOrFraction&) const = default;

 private:
  std::int64_t count_ = 0;
  double fraction_ = 0;
  bool is_count_ = true;
};

}  // namespace unroll
