#pragma once
#include <string>

#include "flag.h"

namespace unroll::cli {

/// A word as a shell reads it back, in quotes if it needs some.
std::string shell_quoted(const std::string& word);

/// " -k 10" or " --densmap=true": a switch takes no word after it.
std::string shell_flag(const Flag& flag, const std::string& value);

}  // namespace unroll::cli
