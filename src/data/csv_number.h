#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace unroll {

/// The meaning of a field that should be a number.
struct CsvNumber {
  enum class Kind {
    Finite,
    Infinite,  ///< inf, infinity
    TooLarge,  ///< beyond the largest double: 1e400
    Missing,   ///< nothing, NA, N/A, NaN, null, ?, Excel's #N/A, in any case
    Text,      ///< anything else
  };
  Kind kind = Kind::Text;
  double value = 0;  ///< when finite; numbers too small for a double are 0
};

/// Decimal numbers with a point, as C++ writes them, with + or - in front: independent of the locale, no hexadecimal,
/// no decimal comma, no digits beyond ASCII.
CsvNumber parse_csv_number(std::string_view text);

/// What a field means beside its digits.
struct CsvNumberRules {
  char decimal = '.';                       ///< or ','
  std::vector<std::string> na_values = {};  ///< further words for a missing value
};
CsvNumber parse_csv_number(std::string_view text, const CsvNumberRules& rules);

/// Whether the text would be a number without what people write around numbers: "12%", "$5", "<0.1", "1,234.5".
bool is_decorated_number(std::string_view text);

/// Whether the field would be a number if its comma were a point: "1,5".
bool has_decimal_comma(std::string_view field);

}  // namespace unroll
