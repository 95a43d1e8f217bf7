#include <fmt/core.h>

#include "completion.h"
#include "core/text.h"

namespace unroll::cli {
namespace {

/// Inside single quotes, and inside the [...] of _arguments, where brackets and colons have a meaning.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string action(const Flag& flag) {
  if (flag.is_switch()) return "";
  if (flag.takes_file()) return fmt::format(":{}:_files", flag.placeholder);
  const auto values = completed_values(flag);
  return fmt::format(":{}:{}", quoted(flag.placeholder),
                     values.empty() ? " " : fmt::format("({})", joined(values, " ")));
}

/// One _arguments specification per name; the names of one flag exclude each other.
std::string specifications(const std::vector<Flag>& flags) {
  std::string text;
  for (const auto& flag : flags) {
    const auto names = completed_names(flag);
    for (const auto& name : names)
      text += fmt::format("      '({}){}{}[{}]{}'\n", joined(names, " "), name, flag.is_switch() ? "" : "=",
                          quoted(flag.info.help), action(flag));
  }
  return text;
}

std::string arguments_by_place(const Command& command) {
  std::string text;
  for (const auto& [name, help, required, choices] : command.arguments)
    text += fmt::format("      '{}:{}:{}'\n", required ? "" : ":", name,
                        choices.empty() ? "_files" : fmt::format("({})", to_kebab(joined(choices, " "))));
  return text;
}

std::string verb_arm(const CompletionVerb& verb) {
  std::string text = fmt::format("  {})\n    specs=(\n", verb.command.name);
  for (const auto& group : verb.command.groups) text += specifications(group.flags);
  text += arguments_by_place(verb.command) + "    )\n";
  if (!verb.choices.empty()) text += "    case $chosen in\n";
  for (const auto& [word, flags] : verb.choices) {
    text += fmt::format("    '{}') specs+=(\n{}      ) ;;\n", word, specifications(flags));
  }
  if (!verb.choices.empty()) text += "    esac\n";
  return text + "    ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CompletionVerb>& verbs) {
  std::string names, arms;
  for (const auto& verb : verbs) {
    names += fmt::format("    '{}:{}'\n", verb.command.name, quoted(verb.command.summary));
    arms += verb_arm(verb);
  }
  return fmt::format(R"(#compdef unroll
# zsh completion for unroll, made by 'unroll completion zsh'

_unroll() {{
  local -a verbs specs
  local chosen='' i
  verbs=(
{}  )
  if ((CURRENT == 2)); then
    _describe 'verb' verbs
    return
  fi
  for ((i = 4; i < CURRENT; ++i)); do
    case $words[i-1] in
    -m|--method|make) chosen=${{words[i]//_/-}} ;;
    esac
  done
  case $words[2] in
{}  esac
  shift words
  ((CURRENT--))
  _arguments -s : $specs
}}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _unroll "$@"
else
  compdef _unroll unroll
fi
)",
                     names, arms);
}

}  // namespace unroll::cli
