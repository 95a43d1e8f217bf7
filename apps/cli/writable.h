#pragma once
#include <string>
#include <string_view>

namespace unroll::cli {

/// Throws Io if no file can be made at `path`: better before hours of work than after them. "-" is always accepted.
void check_writable(const std::string& path, std::string_view who);

}  // namespace unroll::cli
