#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "command.h"
#include "console.h"
#include "progress.h"
#include "unroll/core/options.h"
#include "unroll/data/table.h"

/// Flags that several verbs have, declared as the options of the methods are.
namespace unroll::cli {

struct InputOptions {
  Header header = Header::Auto;
  std::string delimiter = "auto";
  MissingValues na = MissingValues::Error;
  std::string label_column = {};

  static constexpr auto fields() {
    return std::tuple{
        Field{"header", &InputOptions::header, any_value(), "Is the first line names?"},
        Field{"delimiter", &InputOptions::delimiter, any_value(), "Between fields: one character, tab or space."},
        Field{"na", &InputOptions::na, any_value(), "What to do with missing values."},
        Field{"label_column", &InputOptions::label_column, any_value(),
              "Labels, by name or number from 1; copied to the output."},
    };
  }

  /// Throws InvalidOption in `who`'s name for a delimiter of several characters.
  ReadOptions read_options(std::string_view who) const;
};

struct RunOptions {
  std::optional<std::int64_t> threads = {};
  std::string memory_budget = {};
  bool json = false;
  bool quiet = false;
  bool strict = false;
  ProgressStyle progress = ProgressStyle::Auto;

  static constexpr auto fields() {
    return std::tuple{
        Field{"threads", &RunOptions::threads, at_least(1), "Any number gives the same bytes."},
        Field{"memory_budget", &RunOptions::memory_budget, any_value(),
              "Refuse a step of the work that needs more, e.g. 4GiB. [default=80 % of what is free then]"},
        Field{"json", &RunOptions::json, any_value(),
              "Report on the run as one JSON object on standard output; coordinates are then written to -o only."},
        Field{"quiet", &RunOptions::quiet, any_value(), "No progress and no warnings."},
        Field{"strict", &RunOptions::strict, any_value(), "A warning is an error (exit code 3); nothing is written."},
        Field{"progress", &RunOptions::progress, any_value(), "How to show it; auto is a bar on a terminal."},
    };
  }
};

/// Every verb has these.
struct CommonOptions {
  ColorMode color = ColorMode::Auto;
  bool help = false;

  static constexpr auto fields() {
    return std::tuple{
        Field{"color", &CommonOptions::color, any_value(), "Colored text."},
        Field{"help", &CommonOptions::help, any_value(), "Show this help."},
    };
  }
};

std::vector<Flag> input_flags();
/// Those of any verb that reads a table and computes: InputOptions, under that title, and RunOptions.
void add_job_flags(Command& command, const std::string& input_title = "Reading text");

}  // namespace unroll::cli
