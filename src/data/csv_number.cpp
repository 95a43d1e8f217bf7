#include "data/csv_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace unroll {
namespace {

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a - 'A' == b - 'a'); });
}

bool is_missing_word(std::string_view text) {
  constexpr std::array<std::string_view, 9> kWords{"", "na", "n/a", "nan", "-nan", "null", "?", "#n/a", "#n/a!"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return equal_in_any_case(text, word); });
}

/// from_chars gives the same error for numbers that are too large and too small. The power of ten of the first nonzero
/// digit distinguishes them.
bool is_tiny(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, e);
  std::int64_t power = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size())) -
                       static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  if (e == number.size()) return power < 0;
  std::string_view digits = number.substr(e + 1);
  const bool negative = digits.front() == '-';
  if (negative || digits.front() == '+') digits.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (parsed.ec == std::errc::result_out_of_range) return negative;
  return power + (negative ? -exponent : exponent) < 0;
}

}  // namespace

CsvNumber parse_csv_number(std::string_view text) {
  using Kind = CsvNumber::Kind;
  if (is_missing_word(text)) return {Kind::Missing};
  const bool plus = text.front() == '+';
  if (plus) text.remove_prefix(1);
  if (text.empty() || (plus && text.front() == '-')) return {Kind::Text};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != end) return {Kind::Text};
  if (parsed.ec == std::errc::result_out_of_range) {
    if (!is_tiny(text)) return {Kind::TooLarge};
    return {Kind::Finite, text.front() == '-' ? -0.0 : 0.0};
  }
  if (std::isnan(value)) return {Kind::Text};  // "nan(7)"
  return std::isinf(value) ? CsvNumber{Kind::Infinite} : CsvNumber{Kind::Finite, value};
}

CsvNumber parse_csv_number(std::string_view text, const CsvNumberRules& rules) {
  if (std::find(rules.na_values.begin(), rules.na_values.end(), text) != rules.na_values.end())
    return {CsvNumber::Kind::Missing};
  if (rules.decimal == '.') return parse_csv_number(text);
  // A point would be one between thousands: which is meant cannot be told.
  if (text.find('.') != std::string_view::npos) return {CsvNumber::Kind::Text};
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), rules.decimal, '.');
  return parse_csv_number(with_point);
}

bool is_decorated_number(std::string_view text) {
  constexpr std::string_view kDecoration = "<>=~$%* ,'";
  std::string digits;
  for (const char c : text)
    if (kDecoration.find(c) == std::string_view::npos) digits += c;
  return digits.size() != text.size() && !digits.empty() && parse_csv_number(digits).kind == CsvNumber::Kind::Finite;
}

bool has_decimal_comma(std::string_view field) {
  std::string with_point(field);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  return with_point != field && parse_csv_number(with_point).kind == CsvNumber::Kind::Finite;
}

}  // namespace unroll
