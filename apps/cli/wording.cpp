#include "wording.h"

#include <fmt/core.h>

#include <algorithm>

#include "unroll/registry.h"

namespace unroll::cli {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// What ends a value: "n_neighbors=24, or", "(metric=cosine)". A dot may be within a number.
bool ends_value(std::string_view text, std::size_t i) {
  if (i == text.size()) return true;
  const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : ' ';
  return std::string_view(" ,;:)'\"\n").find(c) != std::string_view::npos || (c == '.' && !is_letter(next));
}

/// A word in quotes, or a part of a path, is the user's own.
bool may_begin(std::string_view text, std::size_t i) {
  return i == 0 || std::string_view(" (\n").find(text[i - 1]) != std::string_view::npos;
}

}  // namespace

Wording::Wording(const Command& command) {
  const auto has = [&](std::string_view name) {
    return std::any_of(command.groups.begin(), command.groups.end(), [&](const FlagGroup& group) {
      return std::any_of(group.flags.begin(), group.flags.end(),
                         [&](const Flag& flag) { return flag.info.name == name; });
    });
  };
  const Place place = has("method") ? Place::Here : has("methods") ? Place::InList : Place::Elsewhere;
  for (const Method& method : methods())
    for (const OptionInfo& info : method.options) flags_.emplace(info.name, Known{make_flag(info), place});
  for (const FlagGroup& group : command.groups)
    for (const Flag& flag : group.flags) {
      flags_.insert_or_assign(flag.info.name, Known{flag, Place::Here});
      if (!flag.sets.empty()) flags_.insert_or_assign(flag.sets, Known{flag, Place::Here});
    }
}

std::string Wording::option(const std::string& name) const {
  const auto known = flags_.find(name);
  return known == flags_.end() ? name : known->second.flag.info.name;
}

std::string Wording::translated(const Known& known, std::string_view value, std::string_view method) {
  const Flag& flag = known.flag;
  if (known.place == Place::InList)
    return fmt::format("{}{}{}{}", method.empty() ? "" : fmt::format("-m {}:", method), flag.info.name,
                       value.empty() ? "" : "=", value);
  std::string text = flag.shortest();
  if (flag.is_switch() && value == "false") {
    text = "--no-" + to_kebab(flag.info.name);
  } else if (!value.empty() && !(flag.is_switch() && value == "true")) {
    text += fmt::format(" {}", value);
  }
  return known.place == Place::Elsewhere ? text + " of 'unroll embed'" : text;
}

std::string Wording::operator()(std::string_view text, std::string_view method) const {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word.empty() || !may_begin(text, i)) {
      end = std::max(end, i + 1);
      result += text.substr(i, end - i);
      i = end;
      continue;
    }
    const bool has_value = end < text.size() && text[end] == '=';
    const auto known = flags_.find(word);
    // A word without a value is one of prose ("the weights"), unless it has an underscore.
    if (known == flags_.end() || (!has_value && word.find('_') == std::string_view::npos)) {
      result += word;
      i = end;
      continue;
    }
    const std::size_t value = has_value ? end + 1 : end;
    const bool is_quoted = has_value && value < text.size() && text[value] == '\'';
    end = is_quoted ? std::min(text.find('\'', value + 1), text.size() - 1) + 1 : value;
    while (has_value && !is_quoted && !ends_value(text, end)) ++end;
    result += translated(known->second, text.substr(value, end - value), method);
    i = end;
  }
  return result;
}

}  // namespace unroll::cli
