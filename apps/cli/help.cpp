#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace unroll::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidestName = 22;

/// "-d, --n-components N"
std::string usage_of(const Flag& flag) {
  std::string text = flag.letter != 0 ? fmt::format("-{}, ", flag.letter) : "";
  text += flag.negatable ? "--[no-]" + to_kebab(flag.info.name) : flag.name();
  if (!flag.alias.empty()) text = "--" + flag.alias;
  return flag.placeholder.empty() ? text : text + " " + flag.placeholder;
}

/// The values allowed, unless the placeholder shows them already.
std::string allowed_values(const Flag& flag) {
  const OptionInfo& info = flag.info;
  if (info.type == OptionType::Bool || info.type == OptionType::Text) return "";
  if (info.type == OptionType::Choice) return flag.placeholder.find('|') != std::string::npos ? "" : info.allowed();
  const bool unlimited = !std::isfinite(info.limits.low) && !std::isfinite(info.limits.high);
  if (unlimited && !info.list) return "";
  std::string text = info.allowed();
  for (const std::string_view type : {"an integer ", "a number "})
    if (text.starts_with(type)) text.erase(0, type.size());
  if (const auto end = text.find(", or auto"); end != std::string::npos) text.resize(end);  // the default shows auto
  return text;
}

std::string explanation(const Flag& flag) {
  std::vector<std::string> facts;
  const auto add = [&](std::string fact) {
    if (!fact.empty()) facts.push_back(std::move(fact));
  };
  if (!flag.alias.empty()) add("also " + flag.name());
  const std::string default_text = to_text(flag.info.default_value);
  if (!default_text.empty() && (!flag.is_switch() || flag.negatable)) add("default=" + default_text);
  add(allowed_values(flag));
  return facts.empty() ? flag.info.help : fmt::format("{} [{}]", flag.info.help, fmt::join(facts, "; "));
}

/// The width of the widest name that stands beside its meaning.
std::size_t common_name_width(const std::vector<Definition>& entries, std::size_t at_least) {
  for (const auto& [name, meaning] : entries)
    if (name.size() <= kWidestName) at_least = std::max(at_least, name.size());
  return at_least;
}

std::string paragraphs(std::string_view text, std::size_t width) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("{}\n", fmt::join(wrap(text.substr(0, end), width), "\n"));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
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

std::string definition_list(const std::vector<Definition>& entries, std::size_t width, std::size_t name_width) {
  name_width = common_name_width(entries, name_width);
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

std::vector<Definition> definitions(const std::vector<Flag>& flags) {
  std::vector<Definition> entries;
  for (const auto& flag : flags) entries.emplace_back(usage_of(flag), explanation(flag));
  return entries;
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

std::string help_text(const Command& command, HelpLength length, const Style& style, std::size_t width) {
  std::vector<Definition> arguments;
  for (const auto& argument : command.arguments)
    if (!argument.help.empty()) arguments.emplace_back(argument.name, argument.help);
  std::size_t name_width = common_name_width(arguments, 0);
  std::vector<std::string> others;
  for (const auto& group : command.groups) {
    if (length == HelpLength::Full || group.in_brief_help) {
      name_width = common_name_width(definitions(group.flags), name_width);
    } else {
      for (const auto& flag : group.flags) others.push_back(flag.name());
    }
  }

  std::string text = fmt::format("{}: {}\n\n{}\n{}\n", style.bold(command.program + " " + command.name),
                                 command.summary, style.bold("Examples:"), example_lines(command.examples, style));
  text += fmt::format("{} {} {}\n", style.bold("Usage:"), command.program, command.name + command.usage);
  text += definition_list(arguments, width, name_width);
  for (const auto& group : command.groups)
    if (length == HelpLength::Full || group.in_brief_help)
      text += fmt::format("\n{}\n{}", style.bold(group.title + ":"),
                          definition_list(definitions(group.flags), width, name_width));
  std::string closing = command.about;
  if (length == HelpLength::Full) closing += command.notes;
  if (!others.empty()) closing += fmt::format("Also {}: see 'unroll help {}'.", fmt::join(others, ", "), command.name);
  return closing.empty() ? text : text + "\n" + paragraphs(closing, width);
}

}  // namespace unroll::cli
