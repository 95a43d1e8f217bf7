#include "completion.h"

#include <fmt/core.h>

#include "core/text.h"
#include "method_command.h"
#include "unroll/core/error.h"
#include "unroll/data/generators.h"

namespace unroll::cli {

std::vector<CompletionVerb> completion_verbs() {
  std::vector<CompletionVerb> all;
  for (const auto& verb : verbs()) all.push_back({describe(verb)});
  for (auto& verb : all) {
    std::erase_if(verb.command.groups, [&](const FlagGroup& group) {
      if (group.title != kUsualOptions) return false;
      verb.choices.push_back({"", group.flags});
      return true;
    });
    if (fits_a_method(verb.command.name))
      for (const Method* method : methods_of(MethodKind::Map))
        verb.choices.push_back(
            {to_kebab(method->name), make_algorithm_flags(method_options(verb.command.name, *method))});
    if (verb.command.name == "datasets")
      for (const auto& generator : generators())
        verb.choices.push_back({to_kebab(generator.name), make_algorithm_flags(generator.options)});
  }
  return all;
}

std::vector<std::string> completed_names(const Flag& flag) {
  std::vector<std::string> names;
  if (flag.letter != 0) names.push_back(fmt::format("-{}", flag.letter));
  names.push_back(flag.name());
  if (!flag.alias.empty()) names.push_back("--" + flag.alias);
  if (flag.negatable) names.push_back("--no-" + to_kebab(flag.info.name));
  return names;
}

std::vector<std::string> completed_values(const Flag& flag) {
  const bool is_list = flag.info.name == "methods";
  std::vector<std::string> values = is_list || flag.info.name == "method" ? method_names() : flag.info.choices;
  if (is_list)
    for (const Method* clustering : methods_of(MethodKind::Clusters)) values.push_back(clustering->name);
  for (auto& value : values) value = to_kebab(value);
  return values;
}

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
  if (shell == "bash") return print(bash_completion(completion_verbs()));
  if (shell == "zsh") return print(zsh_completion(completion_verbs()));
  if (shell == "fish") return print(fish_completion(completion_verbs()));
  throw Error(ErrorKind::InvalidOption, fmt::format("completion: there is no script for '{}'{}; the shells are: bash, "
                                                    "zsh, fish",
                                                    shell, did_you_mean(shell, {"bash", "zsh", "fish"})));
}

}  // namespace unroll::cli
