#include "shared_options.h"

#include <fmt/core.h>

#include "unroll/core/error.h"
#include "unroll/core/option_field.h"

namespace unroll::cli {
namespace {

std::optional<char> delimiter_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1) return text.front();
  throw Error(
      ErrorKind::InvalidOption,
      {.problem = fmt::format("delimiter={} must be one character, tab, space or auto", text), .option = "delimiter"});
}

char decimal_of(const std::string& text) {
  if (text == "." || text == ",") return text.front();
  if (text == "point" || text == "comma") return text == "comma" ? ',' : '.';
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("decimal={} must be a point or a comma", text), .option = "decimal"});
}

}  // namespace

OptionFields InputOptions::fields() {
  return {
      field<&InputOptions::header>("header", any_value(), "Is the first line names?"),
      field<&InputOptions::delimiter>("delimiter", any_value(), "Between fields: one character, tab or space."),
      field<&InputOptions::na>("na", any_value(), "What to do with missing values."),
      field<&InputOptions::columns>("columns", any_value(),
                                    "The features: names, numbers from 1 or ranges, such as age,3,5-9,12-."),
      field<&InputOptions::drop>("drop", any_value(), "Columns that are no features, in the same words."),
      field<&InputOptions::id_column>("id_column", any_value(), "Names of rows; copied to the output."),
      field<&InputOptions::label_column>(
          "label_column", any_value(), "Labels, in the same words; copied to the output. The first of several counts."),
      field<&InputOptions::transpose>("transpose", any_value(), "Samples are in columns."),
      field<&InputOptions::na_values>("na_values", any_value(),
                                      "Further words for a missing value, such as -,n.d.; empty fields, NA, NaN, null, "
                                      "? and #N/A are known."),
      field<&InputOptions::decimal>("decimal", any_value(), "What decimals are written with: . or ,"),
      field<&InputOptions::sparse>("sparse", any_value(),
                                   "Of a sparse .npz or .mtx: features stay sparse, auto makes them dense."),
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

ReadOptions InputOptions::read_options() const {
  return {.header = header,
          .delimiter = delimiter_of(delimiter),
          .missing = na,
          .label_column = label_column,
          .columns = columns,
          .drop = drop,
          .id_column = id_column,
          .transpose = transpose,
          .na_values = na_values,
          .decimal = decimal_of(decimal)};
}

std::vector<Flag> input_flags() { return make_flags<InputOptions>(); }

void add_job_flags(Command& command, const std::string& input_title) {
  command.groups.push_back({input_title, input_flags(), false});
  command.groups.push_back({"Running", make_flags<RunOptions>(), false});
}

}  // namespace unroll::cli
