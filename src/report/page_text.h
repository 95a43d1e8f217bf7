#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Encodes arbitrary text and numbers for a page.
namespace unroll {

/// For content and quoted attributes of HTML. (For scripts there is core/json.h.)
std::string html_text(std::string_view text);

std::string base64(const std::vector<std::uint8_t>& bytes);
/// The low byte first.
std::string base64(const std::vector<float>& numbers);

}  // namespace unroll
