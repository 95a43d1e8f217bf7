#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

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
        Field{"header", &InputOptions::header, any_value(), "Text input: is the first line names?"},
        Field{"delimiter", &InputOptions::delimiter, any_value(),
              "Text input: the character between fields, or tab, space."},
        Field{"na", &InputOptions::na, any_value(), "Text input: what to do about missing values."},
        Field{"label_column", &InputOptions::label_column, any_value(),
              "Text input: this column, by name or number, is labels; copied to the output."},
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
        Field{"threads", &RunOptions::threads, at_least(1),
              "Threads; any number gives the same bytes. UNROLL_THREADS sets the default."},
        Field{"memory_budget", &RunOptions::memory_budget, any_value(),
              "Refuse work that needs more, e.g. 4GiB. [default: 80 % of what is free]"},
        Field{"json", &RunOptions::json, any_value(),
              "One JSON object about the run on standard output; coordinates then only to -o."},
        Field{"quiet", &RunOptions::quiet, any_value(), "No progress and no warnings on standard error."},
        Field{"strict", &RunOptions::strict, any_value(), "Warnings are errors (exit code 3); nothing is written."},
        Field{"progress", &RunOptions::progress, any_value(), "How to show progress; auto: a bar on a terminal."},
    };
  }
};

/// Every verb has these.
struct CommonOptions {
  ColorMode color = ColorMode::Auto;
  bool help = false;

  static constexpr auto fields() {
    return std::tuple{
        Field{"color", &CommonOptions::color, any_value(), "Colored text; NO_COLOR and TERM=dumb turn it off."},
        Field{"help", &CommonOptions::help, any_value(), "Show this help."},
    };
  }
};

}  // namespace unroll::cli
