#include <fmt/core.h>

#include "completion.h"
#include "core/text.h"

namespace unroll::cli {
namespace {

std::string flag_words(const std::vector<Flag>& flags) {
  std::vector<std::string> words;
  for (const auto& flag : flags)
    for (auto& name : completed_names(flag)) words.push_back(std::move(name));
  return joined(words, " ");
}

/// Arms of `case $prev in`: what can follow a flag that takes a value. An empty reply lets bash complete files.
std::string value_arms(const std::vector<Flag>& flags) {
  std::string text;
  for (const auto& flag : flags) {
    if (flag.is_switch()) continue;
    const auto values = completed_values(flag);
    text += fmt::format("      {}) {}return ;;\n", joined(completed_names(flag), "|"),
                        values.empty() ? "" : fmt::format("_unroll_reply '{}'; ", joined(values, " ")));
  }
  return text;
}

std::string arguments_by_place(const Command& command) {
  std::string text;
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    if (const auto& choices = command.arguments[i].choices; !choices.empty())
      text += fmt::format("    ((COMP_CWORD == {})) && words='{}'\n", i + 2, to_kebab(joined(choices, " ")));
  return text;
}

std::string verb_arm(const CompletionVerb& verb) {
  std::vector<Flag> flags;
  for (const auto& group : verb.command.groups) flags.insert(flags.end(), group.flags.begin(), group.flags.end());
  std::string text = fmt::format("  {})\n{}", verb.command.name, arguments_by_place(verb.command));
  text += fmt::format("    flags='{}'\n    case $prev in\n{}    esac\n", flag_words(flags), value_arms(flags));
  if (verb.choices.empty()) return text + "    ;;\n";
  text += "    case $chosen in\n";
  for (const auto& [word, own] : verb.choices)
    text += fmt::format("    '{}')\n      flags+=' {}'\n      case $prev in\n{}      esac ;;\n", word, flag_words(own),
                        value_arms(own));
  return text + "    esac ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CompletionVerb>& verbs) {
  std::vector<std::string> names;
  std::string arms;
  for (const auto& verb : verbs) {
    names.push_back(verb.command.name);
    arms += verb_arm(verb);
  }
  return fmt::format(R"(# bash completion for unroll, made by 'unroll completion bash'

_unroll_reply() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}

_unroll() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}}
  local flags='' words='' chosen='' i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _unroll_reply '{} --help --version'
    return
  fi
  # --flag=value is three words
  [[ $prev == = ]] && prev=${{COMP_WORDS[COMP_CWORD-2]}}
  [[ $cur == = ]] && cur=''
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i-1]}} in
    -m|--method|make)
      chosen=${{COMP_WORDS[i]//_/-}}
      [[ $chosen == = ]] && chosen=${{COMP_WORDS[i+1]//_/-}} ;;
    esac
  done
  case $verb in
{}  esac
  if [[ $cur == -* ]]; then
    _unroll_reply "$flags"
  elif [[ -n $words ]]; then
    _unroll_reply "$words"
  fi
}}

complete -o default -F _unroll unroll
)",
                     joined(names, " "), arms);
}

}  // namespace unroll::cli
