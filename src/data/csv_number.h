#pragma once
#include <string_view>

namespace unroll {

/// The meaning of a field that should be a number.
struct CsvNumber {
  enum class Kind {
    Finite,
    Infinite,  ///< inf, infinity
    TooLarge,  ///< beyond the largest double: 1e400
    Missing,   ///< nothing, NA, N/A, NaN, null, ? in any case
    Text,      ///< anything else
  };
  Kind kind = Kind::Text;
  double value = 0;  ///< when finite; numbers too small for a double are 0
};

/// Decimal numbers with a point, as C++ writes them, with + or - in front: independent of the locale, no hexadecimal,
/// no decimal comma, no digits beyond ASCII.
CsvNumber parse_csv_number(std::string_view text);

/// Whether the field would be a number if its comma were a point: "1,5".
bool has_decimal_comma(std::string_view field);

}  // namespace unroll
