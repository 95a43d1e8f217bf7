#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace unroll::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidestName = 26;

/// What may be said of a flag's value: nothing where the type alone allows it.
std::string allowed_values(const Flag& flag) {
  const OptionInfo& info = flag.info;
  if (flag.is_switch() || info.type == OptionType::Text) return "";
  if (info.type == OptionType::Choice && flag.placeholder != "NAME") return "";
  const bool unlimited = !std::isfinite(info.limits.low) && !std::isfinite(info.limits.high);
  return info.type != OptionType::Choice && unlimited && !info.list ? "" : info.allowed();
}

std::string default_text(const OptionInfo& info) {
  const std::string text = to_text(info.default_value);
  return text.empty() ? "" : "default: " + text;
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && line.size() + 1 + word.size() > width) lines.push_back(std::exchange(line, {}));
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  lines.push_back(line);
  return lines;
}

std::string definition_list(const std::vector<std::pair<std::string, std::string>>& entries, std::size_t width) {
  std::size_t name_width = 0;
  for (const auto& [name, meaning] : entries)
    if (name.size() <= kWidestName) name_width = std::max(name_width, name.size());
  const std::size_t column = kIndent + name_width + kIndent;
  std::string text;
  for (const auto& [name, meaning] : entries) {
    const bool beside = name.size() <= name_width;
    text += fmt::format("{:{}}{:{}}", "", kIndent, name, beside ? column - kIndent : 0);
    if (!beside) text += fmt::format("\n{:{}}", "", column);
    text += fmt::format("{}\n", fmt::join(wrap(meaning, width - column), fmt::format("\n{:{}}", "", column)));
  }
  return text;
}

std::string usage_of(const Flag& flag) {
  std::string text = flag.letter != 0 ? fmt::format("-{}, ", flag.letter) : "";
  text += flag.negatable ? "--[no-]" + to_kebab(flag.info.name) : flag.name();
  if (!flag.alias.empty()) text = fmt::format("--{}, {}", flag.alias, text);
  if (!flag.placeholder.empty()) text += " " + flag.placeholder;
  return text;
}

std::string explanation(const Flag& flag) {
  std::vector<std::string> facts;
  const bool plain_switch = flag.is_switch() && !flag.negatable;
  for (auto& fact : {plain_switch ? "" : default_text(flag.info), allowed_values(flag)})
    if (!fact.empty()) facts.push_back(fact);
  return facts.empty() ? flag.info.help : fmt::format("{} [{}]", flag.info.help, fmt::join(facts, "; "));
}

std::string example_lines(const std::vector<Example>& examples, const Style& style) {
  std::size_t longest = 0;
  for (const auto& example : examples)
    if (!example.comment.empty()) longest = std::max(longest, example.command.size());
  std::string text;
  for (const auto& [command, comment] : examples) {
    text += comment.empty() ? fmt::format("  {}\n", command)
                            : fmt::format("  {:{}}  {}\n", command, longest, style.dim("# " + comment));
  }
  return text;
}

std::string help_text(const Command& command, const Style& style, std::size_t width) {
  std::string text = fmt::format("{}: {}\n\n{}\n{}\n", style.bold("unroll " + command.name), command.summary,
                                 style.bold("Examples:"), example_lines(command.examples, style));
  text += fmt::format("{} unroll {} {}\n", style.bold("Usage:"), command.name, command.usage);
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const auto& argument : command.arguments)
    if (!argument.help.empty()) arguments.emplace_back(argument.name, argument.help);
  text += definition_list(arguments, width);
  for (const auto& group : command.groups) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto& flag : group.flags) entries.emplace_back(usage_of(flag), explanation(flag));
    text += fmt::format("\n{}\n{}", style.bold(group.title + ":"), definition_list(entries, width));
  }
  std::string_view notes = command.notes;
  if (!notes.empty()) text += '\n';
  while (!notes.empty()) {
    const std::size_t end = std::min(notes.find('\n'), notes.size());
    text += fmt::format("{}\n", fmt::join(wrap(notes.substr(0, end), width), "\n"));
    notes.remove_prefix(std::min(end + 1, notes.size()));
  }
  return text;
}

}  // namespace unroll::cli
