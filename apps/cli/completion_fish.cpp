#include <fmt/core.h>

#include "completion.h"
#include "core/text.h"

namespace unroll::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return "'" + out + "'";
}

std::string line(const std::string& condition, const std::string& rest) {
  return fmt::format("complete -c unroll -n {} {}\n", quoted(condition), rest);
}

std::string flag_line(const std::string& condition, const Flag& flag) {
  std::string text = fmt::format("-l {}", to_kebab(flag.info.name));
  if (flag.letter != 0) text += fmt::format(" -s {}", flag.letter);
  if (!flag.alias.empty()) text += fmt::format(" -l {}", flag.alias);
  const auto values = completed_values(flag);
  if (flag.takes_file()) {
    text += " -r";
  } else if (!values.empty()) {
    text += " -x -a " + quoted(joined(values, " "));
  } else if (!flag.is_switch()) {
    text += " -x";
  }
  std::string lines = line(condition, fmt::format("{} -d {}", text, quoted(flag.info.help)));
  if (flag.negatable) lines += line(condition, fmt::format("-l no-{}", to_kebab(flag.info.name)));
  return lines;
}

std::string verb_lines(const CompletionVerb& verb) {
  const std::string& name = verb.command.name;
  std::string text = line("__fish_use_subcommand", fmt::format("-f -a {} -d {}", name, quoted(verb.command.summary)));
  for (std::size_t i = 0; i < verb.command.arguments.size(); ++i) {
    const auto& choices = verb.command.arguments[i].choices;
    if (!choices.empty())
      text += line(fmt::format("__unroll_at {} {}", name, i), "-f -a " + quoted(to_kebab(joined(choices, " "))));
  }
  for (const auto& group : verb.command.groups)
    for (const auto& flag : group.flags) text += flag_line("__fish_seen_subcommand_from " + name, flag);
  for (const auto& [word, flags] : verb.choices)
    for (const auto& flag : flags)
      text += flag_line(fmt::format("test (__unroll_choice {}) = \"{}\"", name, word), flag);
  return text;
}

}  // namespace

std::string fish_completion(const std::vector<CompletionVerb>& verbs) {
  std::string text = R"(# fish completion for unroll, made by 'unroll completion fish'

# verb and number of words after it
function __unroll_at
    set -l words (commandline -opc)
    test "$words[2]" = $argv[1]; and test (count $words) -eq (math $argv[2] + 2)
end

# the method or data set chosen after the verb, "" if none is, "-" if the verb is another
function __unroll_choice
    set -l words (commandline -opc)
    set -l choice ''
    test "$words[2]" = $argv[1]; or set choice -
    for i in (seq 4 (count $words))
        if contains -- $words[(math $i - 1)] -m --method make
            set choice (string replace -a _ - -- $words[$i])
        end
    end
    echo "$choice"
end

)";
  for (const auto& verb : verbs) text += verb_lines(verb);
  return text;
}

}  // namespace unroll::cli
