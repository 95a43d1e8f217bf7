#include "method_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/text.h"
#include "doubts.h"
#include "model_columns.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "writable.h"

namespace unroll::cli {
namespace {

/// The options of most methods, shown before a method is chosen.
struct UsualMethodOptions {
  std::int64_t n_components = 2;
  std::int64_t n_neighbors = 10;
  std::int64_t random_state = 0;

  static OptionFields fields() {
    return {
        field<&UsualMethodOptions::n_components>("n_components", any_value(), "Coordinates to compute."),
        field<&UsualMethodOptions::n_neighbors>("n_neighbors", any_value(), "Neighbors per point."),
        field<&UsualMethodOptions::random_state>("random_state", any_value(), "Random seed."),
    };
  }
};

struct MethodVerb {
  std::string_view name;
  std::string_view set_option;  ///< an option of the method that the verb sets itself; empty: none
  std::string_view set_by;      ///< the verb's own flag for it
};
constexpr std::array kMethodVerbs{MethodVerb{"embed", "", ""}, MethodVerb{"spectrum", "n_components", "n_eigenvalues"}};

/// Messages about the option that the verb sets speak of the verb's own flag.
void mark_own(std::string_view verb, std::vector<Flag>& own) {
  for (const MethodVerb& entry : kMethodVerbs)
    for (Flag& flag : own)
      if (entry.name == verb && flag.info.name == entry.set_by) flag.sets = entry.set_option;
}

std::vector<OptionInfo> without_own(std::string_view verb, std::vector<OptionInfo> options) {
  for (const MethodVerb& entry : kMethodVerbs)
    if (entry.name == verb)
      std::erase_if(options, [&](const OptionInfo& info) { return info.name == entry.set_option; });
  return options;
}

/// Whether that option is "precomputed".
bool is_given(std::string_view name, const OptionValues& options) {
  return std::any_of(options.begin(), options.end(), [&](const NamedValue& option) {
    return option.name == name && option.value == OptionValue(std::string("precomputed"));
  });
}

std::string sparse_methods() {
  std::vector<std::string> names;
  for (const Method* method : methods_of(MethodKind::Map))
    if (method->takes_sparse()) names.push_back(method->name);
  return joined(names);
}

/// Whether there is a file with something in it that does not begin as a model does.
bool is_other_content(const std::string& path) {
  constexpr std::string_view kModel = "\x89unr";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::array<char, kModel.size()> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view begin(head.data(), static_cast<std::size_t>(file.gcount()));
  return !begin.empty() && begin != kModel;
}

void refuse_annotation(const std::string& annotation, std::string_view what) {
  if (annotation.empty()) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("color_by={}: a {} has no such column", annotation, what),
               .advice = "give a file",
               .option = "color_by"});
}

SparseTable read_sparse_features(Job& job, const std::string& path, const std::string& annotation) {
  refuse_annotation(annotation, "sparse matrix");
  return job.read_sparse(path);
}

}  // namespace

const Method& chosen_method(const std::string& name) {
  if (name.empty())
    throw Error(ErrorKind::InvalidOption, {.problem = "-m METHOD is missing",
                                           .advice = fmt::format("the methods are: {}", joined(method_names())),
                                           .option = "method"});
  const std::vector<std::string> maps = method_names();
  std::vector<std::string> known = maps;
  for (const Method* method : methods_of(MethodKind::Map))
    known.insert(known.end(), method->aliases.begin(), method->aliases.end());
  const Method* found = nullptr;
  try {
    found = &find_method(name);
  } catch (const Error&) {
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("there is no method '{}'{}", name, did_you_mean(to_snake(name), known)),
                 .advice = fmt::format("the methods are: {}", joined(maps)),
                 .option = "method"});
  }
  if (found->kind == MethodKind::Clusters)
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{} finds clusters instead of a map", name),
                                           .advice = "use 'unroll cluster'",
                                           .option = "method"});
  if (found->kind == MethodKind::Labels)
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("{} finds classes instead of a map", name),
                                           .advice = fmt::format("use 'unroll {}'", use_of(found->name)),
                                           .option = "method"});
  return *found;
}

std::vector<OptionInfo> method_options(std::string_view verb, const Method& method) {
  return method.properties.nested ? without_own(verb, method.options) : method.options;
}

bool fits_a_method(std::string_view verb) {
  return std::any_of(kMethodVerbs.begin(), kMethodVerbs.end(), [&](const auto& entry) { return entry.name == verb; });
}

void add_method_flags(Command& command, std::vector<Flag> own, const Arguments& seen) {
  const Method* const method = seen.has("method") ? &chosen_method(seen.text("method")) : nullptr;
  if (method == nullptr || method->properties.nested) mark_own(command.name, own);
  command.groups.push_back({"Options", std::move(own)});
  command.groups.push_back(
      {kUsualOptions, make_flags(without_own(command.name, describe_options<UsualMethodOptions>()))});
  add_job_flags(command);
  command.about = fmt::format("'unroll {} -m METHOD --help' shows all options of a method.\n", command.name);
  if (method == nullptr) return;
  command.summary = method->title;
  command.usage = fmt::format(" INPUT -m {} [options]", method->name);
  for (auto& group : command.groups) group.in_brief_help = false;
  command.groups[1] = {fmt::format("Options of {}", method->name),
                       make_algorithm_flags(method_options(command.name, *method))};
  command.about = fmt::format("Reference: {}\n", method->reference);
  command.topic = fmt::format("{} -m {}", command.name, method->name);
}

void check_save(const std::string& save) {
  if (save.empty()) return;
  if (save == "-")
    throw Error(ErrorKind::InvalidOption,
                {.problem = "--save needs a file: a model is not text", .advice = "name one", .option = "save"});
  if (is_other_content(save))
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("--save {} would overwrite a file that is no model", save),
                 .advice = "give it a name of its own, such as --save map.unroll",
                 .option = "save"});
  check_writable(save);
}

bool is_precomputed(const OptionValues& options) {
  return is_given("metric", options) || is_given("kernel", options) || is_given("weights", options);
}

MethodInput read_input(Job& job, const std::string& path, const Method& method, const OptionValues& options,
                       const std::string& annotation) {
  if (!is_precomputed(options)) {
    if (job.keeps_sparse()) return read_sparse_features(job, path, annotation);
    Table table = job.read(path, {.annotation = annotation});
    const bool is_scaled = std::any_of(options.begin(), options.end(), [](const NamedValue& option) {
      return option.name == "scale" && option.value != OptionValue(std::string("none"));
    });
    for (const std::string& doubt : doubts_about(table, path, is_scaled)) job.note(doubt);
    return table;
  }
  if (job.keeps_sparse())
    throw Error(ErrorKind::InvalidOption,
                {.problem = "--sparse features, but precomputed says that the matrix is distances or weights",
                 .advice = "leave out one of them",
                 .option = "sparse"});
  MethodInput input = job.read_matrix(path);
  refuse_annotation(annotation, "matrix of distances or weights");
  if (std::holds_alternative<SparseTable>(input) && !method.takes_sparse())
    throw Error(
        ErrorKind::Unsupported,
        {.who = method.name,
         .problem = fmt::format("'{}' is a sparse matrix, but {} needs all its entries", path, method.name),
         .advice = fmt::format("use a full matrix, or a method that takes a sparse one: {}", sparse_methods())});
  return input;
}

Model fit(const Method& method, const MethodInput& input, const OptionValues& options, const Run& run,
          const Beginning& beginning) {
  const auto* sparse = std::get_if<SparseTable>(&input);
  Input data = sparse == nullptr         ? Input(std::get<Table>(input).view())
               : is_precomputed(options) ? sparse_input(sparse->values, options)
                                         : Input(SparseRows(sparse->values));
  beginning.give_to(data);
  return method.fit(data, options, run);
}

PointsView rows_of(const MethodInput& input) {
  const auto* table = std::get_if<Table>(&input);
  return table != nullptr ? table->view() : PointsView(SparseRows(std::get<SparseTable>(input).values));
}

const Table& names_of(const MethodInput& input) {
  static const Table nameless;
  const auto* table = std::get_if<Table>(&input);
  return table != nullptr ? *table : nameless;
}

Model with_columns(const Model& model, const MethodInput& input) {
  const auto* table = std::get_if<Table>(&input);
  return table == nullptr || is_precomputed(model.options()) ? model : model.with_features(features_of(*table));
}

MethodInput read_rows(Job& job, const std::string& path, const Model& model) {
  if (job.keeps_sparse() && !is_precomputed(model.options())) return job.read_sparse(path);
  // Missing entries of a sparse kernel or matrix of weights are 0; a missing distance is unknown.
  if (!is_given("metric", model.options()))
    return matched(job.read(path, {.keep_missing = !model.features().means.empty(), .trained = choice_of(model)}),
                   model, path, job);
  MethodInput input = job.read_matrix(path);
  if (std::holds_alternative<Table>(input)) return input;
  throw Error(ErrorKind::Unsupported,
              {.who = model.method(),
               .problem = fmt::format("'{}' is a sparse matrix, but new rows need an entry for each of the {} training "
                                      "points",
                                      path, model.n_features()),
               .advice = "use a full matrix"});
}

}  // namespace unroll::cli
