#pragma once
#include <string>

namespace unroll::cli {

/// A word as a shell reads it back, in quotes if it needs some.
std::string shell_quoted(const std::string& word);

}  // namespace unroll::cli
