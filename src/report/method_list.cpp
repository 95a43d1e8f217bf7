#include "report/method_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

struct ShortName {
  std::string_view name;
  std::string_view option;
};
constexpr std::array kShortNames{ShortName{"k", "n_neighbors"}, ShortName{"d", "n_components"},
                                 ShortName{"seed", "random_state"}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string in_snake_case(std::string_view text) {
  std::string snake(text);
  std::replace(snake.begin(), snake.end(), '-', '_');
  return snake;
}

std::string option_name(std::string_view typed) {
  for (const auto& [name, option] : kShortNames)
    if (typed == name) return std::string(option);
  return in_snake_case(typed);
}

std::string shorter(std::string_view option) {
  for (const auto& [name, meant] : kShortNames)
    if (option == meant) return std::string(name);
  return std::string(option);
}

/// A choice may be written with hyphens, as everything else.
std::string value_text(const OptionInfo& info, std::string_view typed) {
  const std::string snake = in_snake_case(typed);
  const bool is_choice = std::find(info.choices.begin(), info.choices.end(), snake) != info.choices.end();
  return is_choice ? snake : std::string(typed);
}

class ListReader {
 public:
  std::vector<ListedMethod> read(std::string_view text) {
    for (bool more = true; more;) {
      const std::size_t comma = std::min(text.find(','), text.size());
      piece_ = trimmed(text.substr(0, comma));
      ++place_;
      read_piece();
      more = comma < text.size();
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return std::move(list_);
  }

 private:
  void read_piece() {
    const std::size_t colon = piece_.find(':'), sign = piece_.find('=');
    if (sign < colon) return read_option(piece_);
    list_.push_back({.method = &method_of(trimmed(piece_.substr(0, colon)))});
    if (colon != std::string_view::npos) read_option(piece_.substr(colon + 1));
  }

  const Method& method_of(std::string_view name) const {
    try {
      const Method& found = find_method(name);
      if (found.kind == MethodKind::Labels)
        throw Error(ErrorKind::InvalidOption, fmt::format("{} finds classes from labels, not a map", found.name),
                    "leave it out");
      return found;
    } catch (const Error& error) {
      const bool may_be_value = !list_.empty() && !list_.back().options.empty();
      fail(error.problem(), may_be_value ? fmt::format("for one more option of {} write NAME=VALUE; {}",
                                                       list_.back().method->name, error.advice())
                                         : error.advice());
    }
  }

  void read_option(std::string_view text) {
    if (list_.empty()) fail("there is no method before this option", fmt::format("write METHOD:{}", text));
    ListedMethod& listed = list_.back();
    const std::size_t sign = text.find('=');
    const std::string_view typed = trimmed(text.substr(0, sign));
    if (sign == std::string_view::npos || typed.empty())
      fail("an option of a method is missing after the colon", "write METHOD:NAME=VALUE,NAME=VALUE");
    const OptionInfo& info = option_of(*listed.method, typed);
    if (listed.has(info.name))
      fail(fmt::format("{} has '{}' twice", listed.method->name, typed), "name the method once more for another map");
    try {
      OptionValue value = parse_option(info, value_text(info, trimmed(text.substr(sign + 1))), listed.method->name);
      validate_option(info, value, listed.method->name);
      listed.options.push_back({info.name, std::move(value)});
    } catch (const Error& error) {
      fail(error.problem(), error.advice());
    }
  }

  const OptionInfo& option_of(const Method& method, std::string_view typed) const {
    std::vector<std::string> names;
    for (const OptionInfo& info : method.options) {
      if (info.name == option_name(typed)) return info;
      names.push_back(shorter(info.name));
    }
    const std::string meant = typed.size() > 1 ? did_you_mean(in_snake_case(typed), names) : "";
    fail(fmt::format("{} has no option '{}'{}", method.name, typed, meant),
         fmt::format("its options are: {}", joined(names)));
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("methods, piece {}, '{}': {}", place_, piece_, problem),
                 .advice = advice,
                 .option = "methods"});
  }

  std::vector<ListedMethod> list_ = {};
  std::string_view piece_ = {};
  int place_ = 0;
};

}  // namespace

bool ListedMethod::has(std::string_view option) const {
  return std::any_of(options.begin(), options.end(), [&](const NamedValue& own) { return own.name == option; });
}

std::string ListedMethod::text() const {
  std::string result = method->name;
  char sign = ':';
  for (const auto& [name, value] : options) {
    result += fmt::format("{}{}={}", sign, shorter(name), to_text(value));
    sign = ',';
  }
  return result;
}

std::vector<ListedMethod> listed_methods(const std::vector<std::string>& items) {
  return ListReader().read(joined(items, ","));
}

}  // namespace unroll
