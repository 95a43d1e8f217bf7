#include <fmt/core.h>

#include "completion.h"
#include "core/text.h"
#include "unroll/core/error.h"
#include "verb.h"

/// Scripts that complete by asking the command (completion.h), so that they hold nothing that could become wrong.
namespace unroll::cli {
namespace {

constexpr const char* kBash = R"bash(# bash completion for unroll
_unroll() {
  mapfile -t COMPREPLY < <("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == FILE ]]; then COMPREPLY=(); else compopt +o default; fi
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
}
complete -o default -F _unroll unroll
)bash";

constexpr const char* kZsh = R"zsh(#compdef unroll
# zsh completion for unroll
_unroll() {
  local -a found
  found=(${(f)"$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ $found[1] == FILE ]]; then
    compset -P '--*='
    _files
  else
    found=("${(@)found/$'\t'/:}")
    _describe unroll found
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _unroll "$@"; else compdef _unroll unroll; fi
)zsh";

constexpr const char* kFish = R"fish(# fish completion for unroll
function __unroll_answers
    set -l words (commandline -opc) (commandline -ct)
    set -g __unroll_candidates ($words[1] __complete $words[2..-1] 2>/dev/null)
    test "$__unroll_candidates[1]" != FILE
end
complete -c unroll -n __unroll_answers -f -a '$__unroll_candidates'
)fish";

}  // namespace

Command describe_completion(const Arguments&) {
  return {
      .name = "completion",
      .summary = "print a script that completes verbs, flags and methods",
      .usage = " bash|zsh|fish",
      .examples = {{"source <(unroll completion bash)", "in ~/.bashrc"},
                   {"source <(unroll completion zsh)", "in ~/.zshrc, after compinit"},
                   {"unroll completion fish | source", "in ~/.config/fish/config.fish"}},
      .arguments = {{.name = "SHELL", .help = "", .choices = {"bash", "zsh", "fish"}}},
  };
}

void run_completion(const Arguments& arguments, const Console&) {
  const std::string shell = arguments.positional(0);
  if (shell == "bash") return print(kBash);
  if (shell == "zsh") return print(kZsh);
  if (shell == "fish") return print(kFish);
  throw Error(ErrorKind::InvalidOption,
              fmt::format("there is no script for '{}'{}", shell, did_you_mean(shell, {"bash", "zsh", "fish"})),
              "the shells are: bash, zsh, fish");
}

}  // namespace unroll::cli
