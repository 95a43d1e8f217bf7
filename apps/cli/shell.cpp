#include "shell.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace unroll::cli {

std::string shell_quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./,:=+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shell_flag(const Flag& flag, const std::string& value) {
  return flag.is_switch() ? fmt::format(" {}={}", flag.name(), value)
                          : fmt::format(" {} {}", flag.shortest(), shell_quoted(value));
}

}  // namespace unroll::cli
