#include "unroll/version.h"

#include <fmt/core.h>

#include "verb.h"

namespace unroll::cli {

Command describe_version(const Arguments&) {
  return {
      .name = "version",
      .summary = "show the version and how the command was built",
      .usage = "",
      .examples = {{"unroll version"}, {"unroll --version", "the first line only"}},
  };
}

void run_version(const Arguments&, const Console&) { print(fmt::format("unroll {}\n{}", version(), build_info())); }

}  // namespace unroll::cli
