#pragma once
#include <cstdint>
#include <string_view>

namespace unroll::cli {

/// Bytes of a text such as "500MB", "4GiB", "4G" (binary) or "1073741824"; throws InvalidOption about `option`.
std::uint64_t parse_byte_size(std::string_view text, std::string_view option);

}  // namespace unroll::cli
