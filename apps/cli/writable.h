#pragma once
#include <string>
#include <string_view>

#include "command_line.h"

namespace unroll::cli {

/// Throws Io if no file can be made at `path`: better before hours of work than after them. "-" is always accepted.
void check_writable(const std::string& path);

/// Throws InvalidOption if an output of the command is one of its inputs or another of its outputs, also by another
/// spelling or through a link: data would be lost.
void check_outputs(const Command& command, const Arguments& arguments);

}  // namespace unroll::cli
