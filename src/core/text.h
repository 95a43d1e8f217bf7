#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/export.h"

namespace unroll {

/// Shortest digits that read back to the same bits.
std::string to_text(double value);

/// The candidate nearest to `word` if the difference may be a typing error, else nothing.
UNROLL_API std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or nothing.
UNROLL_API std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c"
UNROLL_API std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

/// "a", "a and b", "a, b and c"
UNROLL_API std::string listed(const std::vector<std::string>& words);

/// Words in the order in which people count: "2C" comes before "16C", numbers before words.
struct UNROLL_API NaturalOrder {
  bool operator()(std::string_view a, std::string_view b) const;
};

/// "1 point", "2 points"
UNROLL_API std::string counted(std::int64_t count, std::string_view noun);

/// "3.7 GiB"
UNROLL_API std::string human_bytes(double bytes);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

/// Bytes that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace unroll
