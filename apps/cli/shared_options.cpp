#include "shared_options.h"

#include <fmt/core.h>

#include "unroll/core/error.h"
#include "unroll/core/option_field.h"

namespace unroll::cli {
namespace {

std::optional<char> delimiter_of(const std::string& text, std::string_view who) {
  if (text == "auto") return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1) return text.front();
  throw Error(ErrorKind::InvalidOption,
              fmt::format("{}: delimiter={} must be one character, tab, space or auto", who, text));
}

}  // namespace

OptionFields InputOptions::fields() {
  return {
      field<&InputOptions::header>("header", any_value(), "Is the first line names?"),
      field<&InputOptions::delimiter>("delimiter", any_value(), "Between fields: one character, tab or space."),
      field<&InputOptions::na>("na", any_value(), "What to do with missing values."),
      field<&InputOptions::label_column>("label_column", any_value(),
                                         "Labels, by name or number from 1; copied to the output."),
  };
}

OptionFields RunOptions::fields() {
  return {
      field<&RunOptions::threads>("threads", at_least(1), "Any number gives the same bytes."),
      field<&RunOptions::memory_budget>(
          "memory_budget", any_value(),
          "Refuse a step of the work that needs more, e.g. 4GiB. [default=80 % of what is free then]"),
      field<&RunOptions::json>(
          "json", any_value(),
          "Report on the run as one JSON object on standard output; coordinates are then written to -o only."),
      field<&RunOptions::quiet>("quiet", any_value(), "No progress and no warnings."),
      field<&RunOptions::strict>("strict", any_value(), "A warning is an error (exit code 3); nothing is written."),
      field<&RunOptions::progress>("progress", any_value(), "How to show it; auto is a bar on a terminal."),
  };
}

OptionFields CommonOptions::fields() {
  return {
      field<&CommonOptions::color>("color", any_value(), "Colored text."),
      field<&CommonOptions::help>("help", any_value(), "Show this help."),
  };
}

ReadOptions InputOptions::read_options(std::string_view who) const {
  return {.header = header, .delimiter = delimiter_of(delimiter, who), .missing = na, .label_column = label_column};
}

std::vector<Flag> input_flags() { return make_flags<InputOptions>(); }

void add_job_flags(Command& command, const std::string& input_title) {
  command.groups.push_back({input_title, input_flags(), false});
  command.groups.push_back({"Running", make_flags<RunOptions>(), false});
}

}  // namespace unroll::cli
