#include <fmt/core.h>

#include "help.h"
#include "unroll/core/error.h"
#include "verb.h"

namespace unroll::cli {

Command describe_help(const Arguments&) {
  return {
      .name = "help",
      .summary = "show what a verb does",
      .usage = " [VERB]",
      .examples = {{"unroll help"}, {"unroll help embed"}, {"unroll embed -m pca --help", "with the method's options"}},
      .arguments = {{.name = "VERB", .help = "", .required = false, .choices = verb_names()}},
  };
}

void run_help(const Arguments& arguments, const Console& console) {
  const std::string name = arguments.positional(0);
  if (const std::string method = known_method(name); !method.empty())
    throw Error(ErrorKind::InvalidOption, fmt::format("'{}' is a method, not a verb", name),
                fmt::format("see 'unroll methods {}', or 'unroll {} --help'", method, use_of(method)));
  print(name.empty() ? overview(console.out(), text_width())
                     : help_text(describe(find_verb(name)), HelpLength::Full, console.out(), text_width()));
}

}  // namespace unroll::cli
