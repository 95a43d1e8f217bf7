#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace unroll::cli {

/// `unroll __complete WORD...` is what the scripts of `unroll completion` call. People do not: no help shows it.
inline constexpr std::string_view kCompletionVerb = "__complete";

/// What can stand in place of the last word, which may be empty or half typed: a candidate per line, and its meaning
/// after a tab where it has one. The line "FILE" alone stands for all names of files, which shells complete better. The
/// words are what a shell has after "unroll"; where bash makes three of --flag=value, the answer is about its third.
///
/// The candidates come from the parser and the declarations that it reads. Words that are wrong have none.
std::string completions(const std::vector<std::string>& words);

}  // namespace unroll::cli
