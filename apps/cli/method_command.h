#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "job.h"
#include "layout_flags.h"
#include "unroll/registry.h"
#include "verb.h"

/// Common parts of the verbs that fit a method: -m METHOD adds the method's options as flags, and the input may be
/// sparse.
namespace unroll::cli {

/// Throws InvalidOption if no method is named, or an unknown one.
const Method& chosen_method(const std::string& name);

/// The options of a method that are flags of that verb: all but n_components, if the verb has its own flag for the
/// number of eigenvectors and n_components means nothing else (the method's maps are nested).
std::vector<OptionInfo> method_options(std::string_view verb, const Method& method);
/// Whether a verb has the options of a method as flags.
bool fits_a_method(std::string_view verb);

/// Adds the verb's own flags, those of the method in `seen` (or of most methods), and those of any job. If there is a
/// method, the help describes it.
void add_method_flags(Command& command, std::vector<Flag> own, const Arguments& seen);

/// Throws InvalidOption if --save is "-", Io if it cannot be written.
void check_save(const std::string& save);

/// Whether the input is distances or similarities between samples, not samples.
bool is_precomputed(const OptionValues& options);

/// A sparse matrix stays sparse if the method takes it as distances or similarities, or as features with --sparse.
using MethodInput = std::variant<Table, SparseTable>;
/// `annotation` is a column to keep beside the features; see ReadOptions.
MethodInput read_input(Job& job, const std::string& path, const Method& method, const OptionValues& options,
                       const std::string& annotation = {});
Model fit(const Method& method, const MethodInput& input, const OptionValues& options, const Run& run,
          const Beginning& beginning = {});

/// The rows of the table, or of sparse features.
PointsView rows_of(const MethodInput& input);
/// The table with the row names and labels; empty for a sparse matrix.
const Table& names_of(const MethodInput& input);
/// The model with the names and means of its training columns, if these are features.
Model with_columns(const Model& model, const MethodInput& input);

/// Reads rows that a model can place; throws Unsupported if distances are missing.
MethodInput read_rows(Job& job, const std::string& path, const Model& model);

}  // namespace unroll::cli
