#include "completion.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "help.h"
#include "unroll/core/error.h"
#include "verb.h"

namespace unroll::cli {
namespace {

/// Words and what they mean; null where the name of a file is wanted.
using Candidates = std::optional<std::vector<Definition>>;

/// Takes the place of the word to complete. Nobody can type it, so it marks what the parser takes that word for.
const std::string& cursor() {
  static const std::string word(1, '\0');
  return word;
}

/// bash makes three words of --flag=value; here they are one again.
std::vector<std::string> rejoined(const std::vector<std::string>& words) {
  std::vector<std::string> whole;
  bool follows_sign = false;
  for (const auto& word : words) {
    const bool is_sign = word == "=" && !whole.empty() && whole.back().starts_with("--");
    if (is_sign || follows_sign) {
      whole.back() += word;
    } else {
      whole.push_back(word);
    }
    follows_sign = is_sign;
  }
  return whole;
}

std::vector<Definition> in_kebab(const std::vector<std::string>& names) {
  std::vector<Definition> words;
  words.reserve(names.size());
  for (const auto& name : names) words.emplace_back(to_kebab(name), "");
  return words;
}

std::vector<Definition> verb_candidates() {
  std::vector<Definition> words;
  for (const auto& verb : verbs()) words.emplace_back(verb.name, verb.describe({}).summary);
  words.emplace_back("--help", "");
  words.emplace_back("--version", "");
  return words;
}

std::vector<Definition> flag_candidates(const Command& command, const Arguments& given) {
  std::vector<Definition> words;
  for (const auto& group : command.groups) {
    for (const auto& flag : group.flags) {
      if (given.has(flag.info.name)) continue;
      if (flag.letter != 0) words.emplace_back(fmt::format("-{}", flag.letter), flag.info.help);
      words.emplace_back(flag.name(), flag.info.help);
      if (!flag.alias.empty()) words.emplace_back("--" + flag.alias, flag.info.help);
      if (flag.negatable) words.emplace_back("--no-" + to_kebab(flag.info.name), "");
    }
  }
  return words;
}

std::vector<Definition> values_of(const Flag& flag) {
  const bool is_list = flag.info.name == "methods";
  const bool is_any_method = flag.info.name == "method" && flag.info.choices.empty();
  if (!is_list && !is_any_method) return in_kebab(flag.info.choices);
  std::vector<Definition> words;
  for (const Method& method : methods())
    if (method.kind == MethodKind::Map || (is_list && method.kind == MethodKind::Clusters))
      words.emplace_back(to_kebab(method.name), method.title);
  return words;
}

/// `typed` is the value as far as it goes; `head` stands before it in the same word. In a list the last item is
/// completed, with what the list does not have yet.
Candidates value_candidates(const Flag& flag, const std::string& head, const std::string& typed) {
  if (flag.takes_file()) return std::nullopt;
  const std::string listed = flag.info.list ? typed.substr(0, typed.rfind(',') + 1) : "";
  std::vector<Definition> words;
  for (const auto& [value, meaning] : values_of(flag))
    if (("," + to_kebab(listed)).find("," + value + ",") == std::string::npos)
      words.emplace_back(fmt::format("{}{}{}", head, listed, value), meaning);
  return words;
}

/// What the verb takes in view of these words: a method or a data set among them brings its own flags.
Command described(const Verb& verb, const std::vector<std::string>& words) {
  Command plain = describe(verb);
  try {
    return describe(verb, peek(plain, words));
  } catch (const Error&) {  // there is no such method, or it is not typed yet
    return plain;
  }
}

Candidates candidates(std::vector<std::string> words) {
  if (words.size() == 1) return verb_candidates();
  const Verb& verb = find_verb(words.front());
  const std::string last = words.back();
  const std::string head = last.starts_with("--") ? last.substr(0, last.find('=') + 1) : "";
  words.erase(words.begin());
  words.back() = head + cursor();

  const Command command = described(verb, words);
  const Arguments given = peek(command, words);
  for (const auto& group : command.groups)
    for (const auto& flag : group.flags)
      if (given.text(flag.info.name) == cursor()) return value_candidates(flag, head, last.substr(head.size()));
  const bool flags_are_over = std::find(words.begin(), words.end(), "--") != words.end();
  const std::size_t place = given.positional().size() - 1;
  if (place < command.arguments.size() && (flags_are_over || !last.starts_with('-'))) {
    const auto& choices = command.arguments[place].choices;
    return choices.empty() ? Candidates() : in_kebab(choices);
  }
  return flags_are_over ? std::vector<Definition>() : flag_candidates(command, given);
}

}  // namespace

std::string completions(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::vector<std::string> whole = rejoined(words);
  const std::string& last = whole.back();
  const std::size_t known = last.size() - (words.back() == "=" ? 0 : words.back().size());  // bash has it elsewhere
  std::string lines;
  try {
    const Candidates found = candidates(whole);
    if (!found) return "FILE\n";
    for (const auto& [word, meaning] : *found)
      if (word.starts_with(last)) lines += word.substr(known) + (meaning.empty() ? "" : "\t" + meaning) + "\n";
  } catch (const Error&) {  // there is no such verb
  }
  return lines;
}

}  // namespace unroll::cli
