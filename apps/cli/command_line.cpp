#include "command_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "unroll/core/error.h"
#include "verb.h"

namespace unroll::cli {
namespace {

/// The flag that a word like "-d", "--n-components" or "--no-whiten" means.
struct Match {
  const Flag* flag = nullptr;  ///< null: the command has no such flag
  bool is_opposite = false;
};

/// In kebab-case or in snake_case: a mixture of both is a typing error.
bool is_name_of(const Flag& flag, std::string_view name) {
  return name == flag.info.name || name == to_kebab(flag.info.name);
}

Match find_flag(const Command& command, std::string_view word) {
  constexpr std::string_view kLong = "--", kNo = "no-";
  const bool is_long = word.size() > kLong.size() && word.starts_with(kLong);
  const std::string_view name = is_long ? word.substr(kLong.size()) : std::string_view();
  for (const auto& group : command.groups) {
    for (const auto& flag : group.flags) {
      if (is_long && (name == flag.alias || is_name_of(flag, name))) return {&flag, false};
      if (flag.is_switch() && name.starts_with(kNo) && is_name_of(flag, name.substr(kNo.size()))) return {&flag, true};
      if (word.size() == 2 && word.front() == '-' && word.back() == flag.letter) return {&flag, false};
    }
  }
  return {};
}

/// "--no-whiten=false" is "--whiten=true". Other values stay as they are, so that the error shows them.
std::string opposite(const std::string& text) {
  for (const std::string_view word : {"true", "yes", "on", "1"})
    if (text == word) return "false";
  for (const std::string_view word : {"false", "no", "off", "0"})
    if (text == word) return "true";
  return text;
}

/// What is wrong with the words; without a problem nothing is.
using Complaint = Error::Parts;

/// The flag of the verb's own that sets this option of a method; empty: none does.
std::string own_flag_for(const Command& command, std::string_view option) {
  for (const auto& group : command.groups)
    for (const auto& flag : group.flags)
      if (!option.empty() && flag.sets == option) return flag.shortest();
  return {};
}

Complaint unknown_letter(const Command& command, char letter) {
  const std::string_view option = option_of_letter(letter);
  const std::string own = own_flag_for(command, option);
  const std::string& topic = command.topic.empty() ? command.name : command.topic;
  return {.problem = fmt::format("unknown flag '-{}'{}", letter,
                                 option.empty() ? "" : fmt::format(": '{}' has no --{}", topic, to_kebab(option))),
          .advice = !own.empty()     ? fmt::format("use {}", own)
                    : option.empty() ? ""
                                     : "leave it out"};
}

Complaint unknown_name(const Command& command, const std::string& name) {
  std::vector<std::string> candidates;
  for (const auto& group : command.groups) {
    for (const auto& flag : group.flags) {
      candidates.push_back(flag.name());
      if (!flag.alias.empty()) candidates.push_back("--" + flag.alias);
    }
  }
  // What other programs call it.
  struct Synonym {
    std::string_view name, flag, value;
  };
  constexpr std::array kSynonyms{Synonym{"--k", "--n-neighbors", ""},
                                 Synonym{"--neighbors", "--n-neighbors", ""},
                                 Synonym{"--d", "--n-components", ""},
                                 Synonym{"--dim", "--n-components", ""},
                                 Synonym{"--dimensions", "--n-components", ""},
                                 Synonym{"--label", "--label-column", ""},
                                 Synonym{"--labels", "--label-column", ""},
                                 Synonym{"--n-jobs", "--threads", ""},
                                 Synonym{"--jobs", "--threads", ""},
                                 Synonym{"--epsilon", "--sigma", ""},
                                 Synonym{"--eps", "--radius", ""},
                                 Synonym{"--standardize", "--scale", " standardize"},
                                 Synonym{"--normalize", "--scale", " standardize"},
                                 Synonym{"--sep", "--delimiter", ""},
                                 Synonym{"--out", "--output", ""},
                                 Synonym{"--clusters", "--n-clusters", ""}};
  const auto has = [&](std::string_view flag) {
    return std::find(candidates.begin(), candidates.end(), flag) != candidates.end();
  };
  for (const Synonym& synonym : kSynonyms)
    if (synonym.name == to_kebab(name) && has(synonym.flag))
      return {.problem = fmt::format("unknown flag '{}'; did you mean '{}{}'?", name, synonym.flag, synonym.value)};
  return {.problem = fmt::format("unknown flag '{}'{}", name, did_you_mean(to_kebab(name), candidates))};
}

/// A choice may be typed in kebab-case, like everything else.
std::string library_spelling(const OptionInfo& info, const std::string& text) {
  const std::string snake = to_snake(text);
  const bool known = std::find(info.choices.begin(), info.choices.end(), snake) != info.choices.end();
  return info.type == OptionType::Choice && known ? snake : text;
}

}  // namespace

/// Reads the words once. It remembers the first error and continues: `peek` ignores errors.
class Parser {
 public:
  Parser(const Command& command, const std::vector<std::string>& words) : command_(command), words_(words) {
    while (next_ < words_.size() && words_[next_] != "--") read(words_[next_++]);
    if (next_ < words_.size()) ++next_;  // the "--" itself
    while (next_ < words_.size()) arguments_.positional_.push_back(words_[next_++]);
    check_positional();
  }

  const Arguments& arguments() const { return arguments_; }
  const Complaint& complaint() const { return complaint_; }

 private:
  /// "-" alone is standard input or output, not a flag.
  void read(const std::string& word) {
    if (word.size() < 2 || word.front() != '-') {
      arguments_.positional_.push_back(word);
    } else if (word[1] == '-') {
      read_name(word);
    } else {
      read_letters(word);
    }
  }

  /// "--flag" or "--flag=value"
  void read_name(const std::string& word) {
    const std::size_t sign = word.find('=');
    const std::string name = word.substr(0, sign);
    const auto [flag, is_opposite] = find_flag(command_, name);
    if (flag == nullptr) {
      complain(unknown_name(command_, name));
    } else if (sign == std::string::npos) {
      if (flag->is_switch()) {
        set(*flag, is_opposite ? "false" : "true");
      } else {
        take_next_word(*flag, word);
      }
    } else if (sign + 1 == word.size()) {
      complain_of(*flag, fmt::format("{} needs a value", word));
    } else {
      const std::string value = word.substr(sign + 1);
      set(*flag, is_opposite ? opposite(value) : value);
    }
  }

  /// "-d 2", "-d2", and switches together: "-qd2". What follows the letter is the value, even if it begins with '='.
  void read_letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const Flag* flag = find_flag(command_, std::string{'-', word[i]}).flag;
      if (flag == nullptr) return complain(unknown_letter(command_, word[i]));
      if (flag->is_switch()) {
        set(*flag, "true");
      } else if (i + 1 < word.size()) {
        return set(*flag, word.substr(i + 1));
      } else {
        return take_next_word(*flag, word);
      }
    }
  }

  /// Any word is a value, negative numbers and "-" among them, except a flag of this command.
  void take_next_word(const Flag& flag, const std::string& word) {
    if (next_ == words_.size()) return complain_of(flag, fmt::format("{} needs a value", word));
    const std::string& value = words_[next_++];
    if (find_flag(command_, value.substr(0, value.find('='))).flag != nullptr)
      complain_of(flag, fmt::format("{} needs a value, but the flag {} follows it", flag.name(), value));
    set(flag, value);
  }

  void check_positional() {
    const auto& given = arguments_.positional_;
    const auto& known = command_.arguments;
    if (given.size() > known.size() && !known_method(given[0]).empty() && command_.name == "embed")
      complain({.problem = fmt::format("'{}' is a method, not a file", given[0]),
                .advice = fmt::format("write unroll embed {} -m {}", given[1], known_method(given[0]))});
    if (given.size() > known.size())
      complain({.problem = fmt::format("unexpected argument '{}'", given[known.size()])});
    if (given.size() < known.size() && known[given.size()].required)
      complain({.problem = known[given.size()].missing.empty() ? fmt::format("{} is missing", known[given.size()].name)
                                                               : known[given.size()].missing});
  }

  /// A value that is given twice is a mistake: one of the two would be forgotten. A switch may be set again.
  void set(const Flag& flag, std::string text) {
    std::string& value = arguments_.texts_[flag.info.name];
    if (!value.empty() && value != text && !flag.is_switch())
      complain({.problem = fmt::format("{} is given twice, as {} and as {}", flag.shortest(), value, text),
                .advice = flag.info.list ? fmt::format("for both write {} {},{}", flag.shortest(), value, text)
                                         : "give it once",
                .option = flag.info.name});
    value = std::move(text);
  }

  void complain(Complaint complaint) {
    if (complaint_.problem.empty()) complaint_ = std::move(complaint);
  }
  void complain_of(const Flag& flag, std::string problem) {
    complain({.problem = std::move(problem), .option = flag.info.name});
  }

  const Command& command_;
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  Arguments arguments_;
  Complaint complaint_;
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
  const Parser parser(command, words);
  if (!parser.complaint().problem.empty()) throw Error(ErrorKind::InvalidOption, parser.complaint());
  return parser.arguments();
}

Arguments peek(const Command& command, const std::vector<std::string>& words) {
  return Parser(command, words).arguments();
}

}  // namespace unroll::cli
