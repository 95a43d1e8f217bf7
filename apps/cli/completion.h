#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace unroll::cli {

/// `unroll __complete WORD...` prints completions(); the scripts of `unroll completion` call it. No help shows it.
inline constexpr std::string_view kCompletionVerb = "__complete";

/// What can stand in place of the last word, which is half typed or empty: a candidate per line, followed by a tab and
/// its meaning if it has one. The single line "FILE" asks the shell for names of files. `words` are those after
/// "unroll". bash makes three words of --flag=value; the candidates are then for the third.
///
/// The parser itself decides what the last word is: a verb, a flag, a value, an argument. Wrong words have no
/// candidates.
std::string completions(const std::vector<std::string>& words);

}  // namespace unroll::cli
