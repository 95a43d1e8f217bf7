#include "report/page_text.h"

#include <algorithm>
#include <bit>

#include "core/text.h"

namespace unroll {

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default:  // control characters have no place in HTML
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
          escaped += kReplacementCharacter;
        } else {
          escaped += c;
        }
    }
  }
  return escaped;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8U | (j < count ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::string base64(const std::vector<float>& numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * numbers.size());
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(bits >> shift & 0xFFU));
  }
  return base64(bytes);
}

}  // namespace unroll
