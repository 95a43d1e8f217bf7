#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "console.h"

namespace unroll::cli {

/// Text broken at blanks into lines of at most `width` columns.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A name and what it means.
using Definition = std::pair<std::string, std::string>;

/// Two columns: names, at least `name_width` wide, and meanings, wrapped so that lines are at most `width` long.
std::string definition_list(const std::vector<Definition>& entries, std::size_t width, std::size_t name_width = 0);

enum class HelpLength { Brief, Full };

/// Examples first, then usage, arguments and flags. The brief help (`--help`) fits on a screen and names the flags that
/// only the full help (`unroll help VERB`) explains.
std::string help_text(const Command& command, HelpLength length, const Style& style, std::size_t width);

/// Flags as definitions: "-d, --n-components N", and the help with the default and the values allowed.
std::vector<Definition> definitions(const std::vector<Flag>& flags);

std::string example_lines(const std::vector<Example>& examples, const Style& style);

}  // namespace unroll::cli
