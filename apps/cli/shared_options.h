#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "console.h"
#include "progress.h"
#include "unroll/core/options.h"
#include "unroll/data/table.h"

/// Flags that several verbs have, declared like the options of methods.
namespace unroll::cli {

/// What a sparse file holds, unless options of the method say that it is distances or weights.
enum class SparseFile {
  Auto,      ///< features, which are made dense
  Features,  ///< features, which stay sparse
};
constexpr auto enum_names(SparseFile) {
  return std::array{Named{SparseFile::Auto, "auto"}, Named{SparseFile::Features, "features"}};
}

struct InputOptions {
  Header header = Header::Auto;
  std::string delimiter = "auto";
  MissingValues na = MissingValues::Error;
  std::string columns = {};
  std::string drop = {};
  std::string id_column = {};
  std::string label_column = {};
  bool transpose = false;
  std::vector<std::string> na_values = {};
  std::string decimal = ".";
  SparseFile sparse = SparseFile::Auto;

  static OptionFields fields();

  /// Throws InvalidOption for a delimiter of several characters.
  ReadOptions read_options() const;
};

struct RunOptions {
  std::optional<std::int64_t> threads = {};
  std::string memory_budget = {};
  bool json = false;
  bool quiet = false;
  bool strict = false;
  ProgressStyle progress = ProgressStyle::Auto;

  static OptionFields fields();
};

/// Every verb has these.
struct CommonOptions {
  ColorMode color = ColorMode::Auto;
  bool help = false;

  static OptionFields fields();
};

std::vector<Flag> input_flags();
/// Adds the flags of any verb that reads a table and computes: InputOptions, under that title, and RunOptions.
void add_job_flags(Command& command, const std::string& input_title = "Reading text");

}  // namespace unroll::cli
