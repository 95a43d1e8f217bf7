#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "job.h"
#include "unroll/registry.h"
#include "verb.h"

/// What the verbs that fit a method share: -m METHOD brings the method's options as flags, and the input may be sparse.
namespace unroll::cli {

/// Throws InvalidOption in the verb's name when none is named, or one that there is not.
const Method& chosen_method(std::string_view verb, const std::string& name);

/// The options of a method that are flags of that verb: all, but for n_components where the verb has its own word for
/// how many eigenvectors are read, and the method's n_components is no more than that (its maps are nested).
std::vector<OptionInfo> method_options(std::string_view verb, const Method& method);
/// Whether a verb has the options of a method as flags.
bool fits_a_method(std::string_view verb);

/// Adds the verb's own flags, those of the method that was seen (or of most methods), and those of any job; with a
/// method seen, the help is about it.
void add_method_flags(Command& command, std::vector<Flag> own, const Arguments& seen);

/// The model must not take the place of the output, nor that of the model.
void check_save(std::string_view verb, const std::string& save, const std::string& output);

/// Whether the input is distances or similarities between samples instead of samples.
bool is_precomputed(const OptionValues& options);

/// A sparse matrix stays so if the method takes it as distances or similarities.
using MethodInput = std::variant<Table, SparseTable>;
MethodInput read_input(Job& job, const std::string& path, const Method& method, const OptionValues& options);
Model fit(const Method& method, const MethodInput& input, const OptionValues& options, const Run& run);

/// With its row names and labels; a sparse matrix has none.
const Table& names_of(const MethodInput& input);

/// Reads rows that a model can place; throws Unsupported for distances that are not all there.
Table read_rows(Job& job, const std::string& path, const Model& model);

}  // namespace unroll::cli
