#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "completion.h"
#include "console.h"
#include "core/reported_as.h"
#include "exit_code.h"
#include "help.h"
#include "json_text.h"
#include "man_page.h"
#include "process.h"
#include "shared_options.h"
#include "signals.h"
#include "unroll/core/error.h"
#include "unroll/version.h"
#include "verb.h"
#include "writable.h"

namespace unroll::cli {
namespace {

void run_verb(const Verb& verb, const std::vector<std::string>& words, Console& console, std::string& hint) {
  const Arguments seen = peek(describe(verb), words);
  const Command command = describe(verb, seen);
  console.speak_of(command);
  if (!command.topic.empty()) hint = fmt::format("see 'unroll {} --help'", command.topic);
  if (seen.has("help")) return print(help_text(command, HelpLength::Brief, console.out(), text_width()));
  const Arguments arguments = parse(command, words);
  static_cast<void>(arguments.get<CommonOptions>(verb.name));  // checks --color, which Console has used already
  check_outputs(command, arguments);
  verb.run(arguments, console);
}

/// Runs the command; `hint` says where to find help if the words are wrong.
void dispatch(const std::vector<std::string>& words, Console& console, std::string& hint) {
  hint = "see 'unroll --help'";
  if (!words.empty() && (words.front() == "--version" || words.front() == "-V")) {
    print(fmt::format("unroll {}\n", version()));
    return;
  }
  if (words.empty() || words.front() == "--help" || words.front() == "-h") {
    print(overview(console.out(), text_width()));
    return;
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words.front() == kCompletionVerb) return print(completions(rest));
  if (words.front() == kManVerb) return print(man_page(rest.empty() ? "" : rest.front()));
  if (words.front().starts_with('-'))
    throw Error(ErrorKind::InvalidOption, fmt::format("expected a verb, got the flag '{}'", words.front()));
  const Verb& verb = find_verb(words.front());
  hint = fmt::format("see 'unroll {} --help'", verb.name);
  reported_as_if_unnamed(verb.name, [&] { run_verb(verb, rest, console, hint); });
}

/// A program that reads JSON gets it in any case: on standard error, as one line, since there is no result.
bool wants_json(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

ExitCode run(const std::vector<std::string>& words) {
  Console console(words);
  std::string hint;
  try {
    dispatch(words, console, hint);
    return ExitCode::Success;
  } catch (const Error& caught) {
    const Error error = console.worded(caught);
    const ExitCode code = exit_code(error.kind());
    console.error(error.what(), code == ExitCode::Usage ? hint : "");
    if (wants_json(words)) print_message(error_json(error, static_cast<int>(code)) + "\n");
    // Abandoned work may still be running: do not wait for it, and do not run destructors of what it uses.
    if (error.kind() == ErrorKind::Cancelled) std::_Exit(static_cast<int>(code));
    return code;
  } catch (const std::bad_alloc&) {
    console.error("out of memory", "");
    return ExitCode::Memory;
  } catch (const std::exception& error) {
    console.error(fmt::format("internal error, please report it: {}", error.what()), "");
    return ExitCode::Failure;
  }
}

}  // namespace
}  // namespace unroll::cli

int main(int argc, char** argv) {
  unroll::cli::hold_standard_descriptors();
  unroll::cli::set_write_signals();
  unroll::cli::watch_signals();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  return static_cast<int>(unroll::cli::run(words));
}
