#pragma once
#include <optional>
#include <string>
#include <vector>

#include "job.h"
#include "unroll/registry.h"

/// The flags of `embed` that are for methods that optimise a map: --init FILE, --resume, --frames, --target.
namespace unroll::cli {

/// Where a method that optimises begins, beside its data.
struct Beginning {
  std::optional<Table> init = {};
  std::optional<Model> resume = {};
  std::optional<Table> pair_weights = {};
  std::vector<std::int64_t> labels = {};  ///< of --target: classes, -1 where unknown
  std::vector<double> targets = {};       ///< of --target: numbers

  void give_to(Input& input) const;
};

/// Whether the method optimises a map.
bool is_layout(const Method& method);

/// Reads what --init and --resume name. Takes `init` out of the options if it names a file; options that were not given
/// are those of the model to go on from. Throws Unsupported if the method does not optimise.
Beginning read_beginning(Job& job, const Arguments& arguments, const Method& method, const std::string& resume,
                         OptionValues& values);

/// The options of the method that the command line gives, without --init FILE.
OptionValues layout_values(const Arguments& arguments, const Method& method);

/// Reads --target FILE, if it is given: a class or a number for each of the `rows` points of `input_path`. Throws
/// Unsupported if the method does not look at them.
void read_target(Job& job, const std::string& path, const Method& method, const std::string& input_path, Index rows,
                 Beginning& beginning);

/// Writes a few dozen of the maps on the way to `folder`, as frame-000.csv and so on; makes the folder if it is not
/// there.
void write_frames(Job& job, const std::string& folder, const Method& method);

}  // namespace unroll::cli
