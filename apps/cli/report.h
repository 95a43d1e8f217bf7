#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unroll/core/model.h"

namespace unroll::cli {

/// What --json tells about a run.
struct Report {
  struct Input {
    std::string path;
    std::string format;
    Index rows = 0;
    Index cols = 0;
    bool is_float = false;
  };
  struct Output {
    std::string content;  ///< "coordinates", "model"
    std::string path;
    Index rows = 0;
    Index cols = 0;
  };

  struct Seconds {
    double read = 0;
    double compute = 0;  ///< fit, transform or what the verb does
    double write = 0;
    double total = 0;
  };

  std::string command;
  std::string model_path = {};  ///< empty: the model was fitted here, and its spectrum and diagnostics are told
  std::optional<Model> model = {};
  OptionValues params = {};                                        ///< of a verb that has no model
  std::vector<std::pair<std::string, OptionValues>> results = {};  ///< what a verb found out, under a name of its own
  /// A list of such findings, of which each has its own values.
  std::vector<std::pair<std::string, std::vector<OptionValues>>> lists = {};
  std::vector<std::string> notes = {};  ///< lines for people
  Input input = {};
  Seconds seconds = {};
  int threads = 0;
  std::vector<Warning> warnings = {};
  std::vector<Output> outputs = {};
};

}  // namespace unroll::cli
