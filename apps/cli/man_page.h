#pragma once
#include <string>
#include <string_view>

namespace unroll::cli {

/// `unroll __man` prints the manual page unroll(1), `unroll __man embed` that of a verb; the build makes files of them.
/// No help shows this verb.
inline constexpr std::string_view kManVerb = "__man";

/// A page for man(1), made of the same declarations as the help: those of the verbs, and of the methods in the
/// registry. An empty name is the command itself. Throws InvalidOption for a verb that is not there.
std::string man_page(const std::string& verb);

}  // namespace unroll::cli
