#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unroll/core/model.h"

namespace unroll::cli {

/// The content of --json about a run.
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
    double compute = 0;  ///< fit, transform or other work of the verb
    double write = 0;
    double total = 0;
  };

  std::string command;
  std::string model_path = {};  ///< empty: the model was fitted here; the report has its spectrum and attributes
  std::optional<Model> model = {};
  OptionValues params = {};                                        ///< of a verb without a model
  std::vector<std::pair<std::string, OptionValues>> results = {};  ///< findings of a verb, by name
  /// Lists of findings, each with its own values.
  std::vector<std::pair<std::string, std::vector<OptionValues>>> lists = {};
  std::vector<std::string> notes = {};    ///< lines for people, at the end
  std::vector<std::string> remarks = {};  ///< notes that were said at once: what is probably a mistake
  Input input = {};
  Seconds seconds = {};
  int threads = 0;
  std::vector<Warning> warnings = {};
  std::vector<Output> outputs = {};
};

}  // namespace unroll::cli
