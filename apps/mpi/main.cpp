#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "core/text.h"
#include "exit_code.h"
#include "help.h"
#include "json_text.h"
#include "mpi_verb.h"
#include "process.h"
#include "shared_options.h"
#include "signals.h"
#include "unroll/version.h"
#include "writable.h"

namespace unroll::cluster {
namespace {

using cli::ExitCode;

/// Only the root is heard. Returns where standard error went before, for a rank that fails alone.
int silence_others(const Ranks& ranks) {
  const int heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (ranks.is_root()) return heard;
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  return heard;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const MpiVerb& verb : mpi_verbs()) names.emplace_back(verb.name);
  return names;
}

const MpiVerb& find_verb(const std::string& name) {
  for (const MpiVerb& verb : mpi_verbs())
    if (verb.name == name) return verb;
  throw Error(ErrorKind::InvalidOption, fmt::format("unroll-mpi has no verb '{}'", name),
              fmt::format("its verbs are: {}; 'unroll' has the others, on one machine", joined(verb_names())));
}

std::string overview(const cli::Style& style) {
  std::vector<cli::Definition> verbs;
  for (const MpiVerb& verb : mpi_verbs()) verbs.emplace_back(std::string(verb.name), verb.describe({}).summary);
  return fmt::format("{} {}: unroll on many machines, under MPI\n\n{}\n{}\n{} mpirun -n RANKS unroll-mpi VERB --help\n",
                     style.bold("unroll-mpi"), version(), style.bold("Verbs:"),
                     cli::definition_list(verbs, cli::text_width()), style.bold("Help of a verb:"));
}

/// What a verb takes; a method's flags, if the words name one.
cli::Command described(const MpiVerb& verb, const std::vector<std::string>& words) {
  cli::Command command = verb.describe(cli::peek(verb.describe({}), words));
  command.groups.push_back({"General", cli::make_flags<cli::CommonOptions>()});
  return command;
}

void dispatch(const Ranks& ranks, const std::vector<std::string>& words, cli::Console& console, std::string& hint) {
  hint = "see 'unroll-mpi --help'";
  const std::string first = words.empty() ? "--help" : words.front();
  if (first == "--version" || first == "-V") return cli::print(fmt::format("unroll-mpi {}\n", version()));
  if (first == "--help" || first == "-h") return cli::print(overview(console.out()));
  const MpiVerb& verb = ranks.together([&] { return std::cref(find_verb(first)); });
  hint = fmt::format("see 'unroll-mpi {} --help'", verb.name);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const cli::Command command = ranks.together([&] { return described(verb, rest); });
  console.speak_of(command);
  if (cli::peek(command, rest).has("help"))
    return cli::print(help_text(command, cli::HelpLength::Full, console.out(), cli::text_width()));
  const cli::Arguments arguments = ranks.together([&] {
    cli::Arguments parsed = cli::parse(command, rest);
    static_cast<void>(parsed.get<cli::CommonOptions>(verb.name));
    cli::check_outputs(command, parsed);
    return parsed;
  });
  verb.run(ranks, arguments, console);
}

/// The verb's name goes before an error without one, as in `unroll`.
Error named(const Error& error, const std::vector<std::string>& words) {
  const bool has_name = !error.who().empty() || error.kind() == ErrorKind::Cancelled;
  return has_name || words.empty() ? error : error.with_who(words.front());
}

ExitCode report(const Error& caught, const std::vector<std::string>& words, const cli::Console& console,
                const std::string& hint) {
  const Error error = console.worded(named(caught, words));
  const ExitCode code = cli::exit_code(error.kind());
  console.error(error.what(), code == ExitCode::Usage ? hint : "");
  if (std::find(words.begin(), words.end(), "--json") != words.end())
    cli::print_message(cli::error_json(error, static_cast<int>(code)) + "\n");
  return code;
}

/// A rank that fails alone ends all: the others may be waiting for it.
[[noreturn]] void end_all(const Ranks& ranks, int heard, const std::string& what) {
  dup2(heard, STDERR_FILENO);
  cli::print_message(fmt::format("unroll: error: {} ({})\n", what, ranks.name()));
  MPI_Abort(ranks.world(), static_cast<int>(ExitCode::Failure));
  std::_Exit(static_cast<int>(ExitCode::Failure));
}

ExitCode run(const Ranks& ranks, const std::vector<std::string>& words) {
  const int heard = silence_others(ranks);
  cli::Console console(words);
  std::string hint;
  try {
    dispatch(ranks, words, console, hint);
    return ExitCode::Success;
  } catch (const SharedError& error) {
    return report(error, words, console, hint);
  } catch (const std::exception& error) {
    end_all(ranks, heard, error.what());
  }
}

}  // namespace
}  // namespace unroll::cluster

int main(int argc, char** argv) {
  unroll::cli::hold_standard_descriptors();
  unroll::cli::set_write_signals();
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  unroll::cli::watch_signals();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  auto code = unroll::cli::ExitCode::Success;
  {
    const unroll::cluster::Ranks ranks(MPI_COMM_WORLD);
    code = unroll::cluster::run(ranks, words);
  }
  MPI_Finalize();
  std::_Exit(static_cast<int>(code));  // cancelled work may have left threads behind
}
