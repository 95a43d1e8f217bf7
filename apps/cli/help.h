#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "console.h"

namespace unroll::cli {

/// Text broken at blanks into lines of at most `width` columns.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Two columns: names, and explanations wrapped to `width` in all.
std::string definition_list(const std::vector<std::pair<std::string, std::string>>& entries, std::size_t width);

/// Examples first, then usage, arguments and flags.
std::string help_text(const Command& command, const Style& style, std::size_t width);

/// Explanation of a flag: its help, its default, and the values allowed where the placeholder does not say them.
std::string explanation(const Flag& flag);
/// "-d, --n-components N"
std::string usage_of(const Flag& flag);

std::string example_lines(const std::vector<Example>& examples, const Style& style);

}  // namespace unroll::cli
