#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Anybody's text and numbers in a form that a page can hold.
namespace unroll {

/// Bytes that are not UTF-8 become U+FFFD, the replacement character.
std::string valid_utf8(std::string_view text);

/// For content and quoted attributes of HTML.
std::string html_text(std::string_view text);

/// In quotes, for JSON within a script element: no '<' can end the element or open a comment.
std::string json_text(std::string_view text);
std::string json_list(const std::vector<std::string>& texts);

std::string base64(const std::vector<std::uint8_t>& bytes);
/// The low byte first.
std::string base64(const std::vector<std::uint16_t>& numbers);

}  // namespace unroll
