#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/text.h"
#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

/// "-d,--n-components,--n_components", and the opposite of a switch, as CLI11 wants them.
std::string spellings(const Flag& flag) {
  std::vector<std::string> names{to_kebab(flag.info.name)};
  if (names.front() != flag.info.name) names.push_back(flag.info.name);
  std::string text = flag.letter != 0 ? fmt::format("-{},", flag.letter) : "";
  if (!flag.alias.empty()) text += fmt::format("--{},", flag.alias);
  text += fmt::format("--{}", fmt::join(names, ",--"));
  if (flag.is_switch()) text += fmt::format(",!--no-{}", fmt::join(names, ",!--no-"));
  return text;
}

std::vector<std::string> flag_names(const Command& command) {
  std::vector<std::string> names;
  for (const auto& group : command.groups) {
    for (const auto& flag : group.flags) {
      names.push_back(flag.name());
      if (!flag.alias.empty()) names.push_back("--" + flag.alias);
      if (flag.letter != 0) names.push_back(fmt::format("-{}", flag.letter));
    }
  }
  return names;
}

[[noreturn]] void fail(const Command& command, const std::string& message) {
  throw Error(ErrorKind::InvalidOption, fmt::format("{}: {}", command.name, message));
}

[[noreturn]] void fail_unknown(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (!name.starts_with("--")) {
    const std::string_view option = option_of_letter(name[1]);
    const std::string& topic = command.topic.empty() ? command.name : command.topic;
    fail(command, fmt::format("unknown flag '-{}'{}", name[1],
                              option.empty() ? "" : fmt::format(": '{}' has no --{}", topic, to_kebab(option))));
  }
  std::vector<std::string> candidates = flag_names(command);
  std::erase_if(candidates, [](const std::string& candidate) { return !candidate.starts_with("--"); });
  fail(command, fmt::format("unknown flag '{}'{}", name, did_you_mean(to_kebab(name), candidates)));
}

/// A choice may be typed in kebab-case, as everything else.
std::string library_spelling(const OptionInfo& info, const std::string& text) {
  const std::string snake = to_snake(text);
  const bool known = std::find(info.choices.begin(), info.choices.end(), snake) != info.choices.end();
  return info.type == OptionType::Choice && known ? snake : text;
}

}  // namespace

/// CLI11 knows the flags only. Positional arguments are what it leaves over: it would split a file name like "[a,b]".
class Parser {
 public:
  explicit Parser(const Command& command) : command_(command) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const auto& group : command.groups)
      for (const auto& flag : group.flags) add(flag);
  }

  void read(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    app_.parse(std::move(words));
  }

  Arguments given() const {
    Arguments arguments;
    for (const auto& [flag, option] : options_)
      if (!option->empty()) arguments.texts_[flag->info.name] = option->results().back();  // the last one wins
    bool flags_ended = false;
    for (const auto& word : app_.remaining()) {
      if (!flags_ended && word == "--") {
        flags_ended = true;
      } else if (flags_ended || !looks_like_flag(word)) {
        arguments.positional_.push_back(word);
      }
    }
    return arguments;
  }

  void check(const Arguments& arguments) const {
    for (const auto& word : app_.remaining()) {
      if (word == "--") break;
      if (looks_like_flag(word)) fail_unknown(command_, word);
    }
    const std::vector<std::string> names = flag_names(command_);
    for (const auto& [flag, option] : options_) {
      const std::string text = arguments.text(flag->info.name);
      if (std::find(names.begin(), names.end(), text) != names.end())
        fail(command_, fmt::format("{} needs a value, but the flag {} follows it", flag->name(), text));
    }
    const auto& positional = arguments.positional();
    if (positional.size() > command_.arguments.size())
      fail(command_, fmt::format("unexpected argument '{}'", positional[command_.arguments.size()]));
    if (positional.size() < command_.arguments.size() && command_.arguments[positional.size()].required)
      fail(command_, fmt::format("{} is missing", command_.arguments[positional.size()].name));
  }

 private:
  static bool looks_like_flag(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

  void add(const Flag& flag) {
    CLI::Option* option =
        flag.is_switch() ? app_.add_flag(spellings(flag)) : app_.add_option(spellings(flag))->expected(1);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    options_.emplace_back(&flag, option);
  }

  const Command& command_;
  CLI::App app_;
  std::vector<std::pair<const Flag*, CLI::Option*>> options_;
};

std::string Arguments::text(std::string_view option) const {
  const auto found = texts_.find(option);
  return found == texts_.end() ? "" : found->second;
}

OptionValues Arguments::values(const std::vector<OptionInfo>& infos, std::string_view who) const {
  OptionValues values;
  for (const auto& info : infos) {
    if (!has(info.name)) continue;
    values.push_back({info.name, parse_option(info, library_spelling(info, text(info.name)), who)});
    validate_option(info, values.back().value, who);
  }
  return values;
}

Arguments parse(const Command& command, const std::vector<std::string>& words) {
  for (const auto& word : words) {
    if (word == "--") break;
    if (word.starts_with("--") && word.ends_with('=')) fail(command, fmt::format("{} needs a value", word));
  }
  Parser parser(command);
  try {
    parser.read(words);
  } catch (const CLI::ParseError&) {
    // With a fixed number of values per flag, all that can go wrong is that the words run out.
    fail(command, fmt::format("{} needs a value", words.back()));
  }
  Arguments arguments = parser.given();
  parser.check(arguments);
  return arguments;
}

Arguments peek(const Command& command, const std::vector<std::string>& words) {
  Parser parser(command);
  try {
    parser.read(words);
  } catch (const CLI::ParseError&) {
    // parse() tells what is wrong.
  }
  return parser.given();
}

}  // namespace unroll::cli
