#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace unroll {

/// The bytes of a PNG file (ISO/IEC 15948): rows of red, green, blue, one after the other, from the top.
std::string png_file(const std::vector<std::uint8_t>& rgb, std::int64_t width, std::int64_t height);

}  // namespace unroll
