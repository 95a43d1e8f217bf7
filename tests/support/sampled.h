#pragma once
#include <cstddef>
#include <cstdlib>
#include <string>

namespace unroll {

/// Of many inputs that are much alike, whether number i is tried: all are, unless UNROLL_TRY_ONE_IN says one in how
/// many. The sanitized twins of ./test, which run unoptimised, set it; a sanitized build tries all.
inline bool is_tried(std::size_t i) {
  static const std::size_t one_in = [] {
    const char* number = std::getenv("UNROLL_TRY_ONE_IN");
    return number == nullptr ? std::size_t{1} : std::size_t{std::stoul(number)};
  }();
  return i % one_in == 0;
}

}  // namespace unroll
