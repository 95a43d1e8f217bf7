#include "shared_options.h"

#include <fmt/core.h>

#include "unroll/core/error.h"

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

ReadOptions InputOptions::read_options(std::string_view who) const {
  return {.header = header, .delimiter = delimiter_of(delimiter, who), .missing = na, .label_column = label_column};
}

std::vector<Flag> input_flags() { return make_flags<InputOptions>(); }

void add_job_flags(Command& command, const std::string& input_title) {
  command.groups.push_back({input_title, input_flags(), false});
  command.groups.push_back({"Running", make_flags<RunOptions>(), false});
}

}  // namespace unroll::cli
