#pragma once
#include <string>
#include <vector>

#include "command.h"

/// Completion scripts, made from what the parser and the help are made from.
namespace unroll::cli {

/// Flags that count once a certain word has been typed: a method's after `-m METHOD`, a data set's after its name.
struct CompletionChoice {
  std::string word;  ///< empty: as long as none has
  std::vector<Flag> flags;
};

struct CompletionVerb {
  Command command;                             ///< with the flags that it always has
  std::vector<CompletionChoice> choices = {};  ///< and those that depend on a choice
};

std::vector<CompletionVerb> completion_verbs();

std::string bash_completion(const std::vector<CompletionVerb>& verbs);
std::string zsh_completion(const std::vector<CompletionVerb>& verbs);
std::string fish_completion(const std::vector<CompletionVerb>& verbs);

/// Names of a flag that completion offers: "-d", "--n-components".
std::vector<std::string> completed_names(const Flag& flag);
/// Words that can be its value; none: anything.
std::vector<std::string> completed_values(const Flag& flag);

}  // namespace unroll::cli
