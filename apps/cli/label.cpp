#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/text.h"
#include "ground_truth.h"
#include "help.h"
#include "label_output.h"
#include "method_command.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"

namespace unroll::cli {
namespace {

enum class LabelMethod { Spreading, Propagation, Eigenvectors };
constexpr auto enum_names(LabelMethod) {
  return std::array{Named{LabelMethod::Spreading, "spreading"}, Named{LabelMethod::Propagation, "propagation"},
                    Named{LabelMethod::Eigenvectors, "eigenvectors"}};
}

struct LabelOptions {
  std::string labels = {};
  LabelMethod method = LabelMethod::Spreading;
  std::string output = {};
  std::string probabilities = {};
  std::string save = {};
  std::string model = {};

  static OptionFields fields() {
    return {
        field<&LabelOptions::labels>("labels", any_value(),
                                     "What is known: a file of one column with a class per row, a word or a whole "
                                     "number; empty or -1: unknown. Or use --label-column."),
        field<&LabelOptions::method>("method", any_value(),
                                     "How labels travel: spreading may overrule known labels, propagation keeps them, "
                                     "eigenvectors fits slow functions to them."),
        field<&LabelOptions::output>("output", any_value(),
                                     "The class of every row and its probability: .csv, .tsv, .txt or .npy[.gz]."),
        field<&LabelOptions::probabilities>("probabilities", any_value(), "The probabilities of all classes."),
        field<&LabelOptions::save>("save", any_value(), "The fitted model, for --model and 'unroll transform'."),
        field<&LabelOptions::model>("model", any_value(), "Find the classes of new rows with a saved model."),
    };
  }
};

const Method& method_of(LabelMethod choice) { return find_method("label_" + std::string(name_of(choice))); }

/// The method whose options are flags: the one that --method names.
const Method& seen_method(const Arguments& seen) {
  if (seen.has("method"))
    for (const auto& [choice, name] : enum_names(LabelMethod{}))
      if (name == seen.text("method")) return method_of(choice);
  return method_of(LabelMethod::Spreading);
}

/// Options of the fit have no effect on a model that is fitted already: refuses them.
void check_only_new_rows(const Arguments& arguments, const Method& method) {
  std::vector<std::string> given;
  for (const OptionInfo& info : method.options)
    if (arguments.has(info.name)) given.push_back("--" + to_kebab(info.name));
  for (const char* own : {"labels", "method", "save"})
    if (arguments.has(own)) given.push_back(fmt::format("--{}", own));
  if (given.empty()) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("{} is for a fit, but --model names one that is done", joined(given)),
               .advice = "leave out one or the other",
               .option = "model"});
}

/// What is known of the rows: a word per row, empty where it is unknown.
std::vector<std::string> known_words(Job& job, const std::string& file, const std::string& path, const Table& table,
                                     Index rows) {
  std::vector<std::string> words = table.labels;
  if (!file.empty()) {
    words = read_labels(job, "label", file, path, rows);
  } else if (words.empty()) {
    throw Error(ErrorKind::InvalidOption, {.problem = "no labels are given",
                                           .advice = "use --labels FILE, or --label-column NAME for a column of INPUT",
                                           .option = "labels"});
  }
  for (std::string& word : words)
    if (word == "-1" || word == "-1.0") word.clear();
  if (std::all_of(words.begin(), words.end(), [](const std::string& word) { return word.empty(); }))
    throw Error(ErrorKind::InvalidData, {.who = "label",
                                         .problem = "no row has a label: all are empty or -1",
                                         .advice = "give at least one row its class",
                                         .option = "labels"});
  return words;
}

std::vector<std::int64_t> class_of_rows(const std::vector<std::string>& words) {
  std::vector<std::int64_t> labels = numbered_words(words);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].empty()) labels[i] = -1;
  return labels;
}

std::vector<std::string> classes_among(const std::vector<std::string>& words) {
  std::set<std::string, NaturalOrder> classes(words.begin(), words.end());
  classes.erase("");
  return {classes.begin(), classes.end()};
}

/// "9 of 'a', 21 of 'b', 3 of none", the first ten of them.
std::string counts_text(const std::vector<Index>& labels, const Model& model) {
  constexpr std::size_t kShown = 10;
  const std::vector<std::string> found = words_of(labels, model), classes = class_words(model);
  std::vector<std::string> parts;
  for (const std::string& name : classes)
    parts.push_back(fmt::format("{} of '{}'", std::count(found.begin(), found.end(), name), name));
  const bool is_long = parts.size() > kShown;
  if (is_long) parts.resize(kShown);
  if (const auto none = std::count(found.begin(), found.end(), ""); none > 0)
    parts.push_back(fmt::format("{} of none", none));
  return joined(parts) + (is_long ? ", ..." : "");
}

std::string summary(const FoundLabels& found, const Model& model, bool is_fitted) {
  std::vector<Definition> facts{{"rows", fmt::format("{}", found.labels.size())}};
  if (is_fitted)
    for (const auto& [name, value] : model.embedding().attributes)
      if (name == "known_labels" || name == "components" || name == "unlabeled_components" || name == "relabeled")
        facts.emplace_back(name == "known_labels"           ? "known"
                           : name == "unlabeled_components" ? "unlabeled"
                                                            : name,
                           fmt::format("{}{}", std::get<std::int64_t>(value),
                                       name == "unlabeled_components" ? " components have no label"
                                       : name == "relabeled"          ? " known labels were overruled"
                                                                      : ""));
  facts.emplace_back("labels", counts_text(found.labels, model));
  return definition_list(facts, text_width());
}

void finish(Job& job, const FoundLabels& found, const Model& model, const Table& table, const LabelOptions& options,
            bool is_fitted) {
  std::int64_t none = std::count(found.labels.begin(), found.labels.end(), -1);
  job.report().results.emplace_back(
      "labels", OptionValues{{"n_classes", std::int64_t{model.n_components()}}, {"without_label", none}});
  if (options.output.empty()) {
    job.print_summary(summary(found, model, is_fitted));
  } else {
    write_labels(job, found, model, table, options.output);
  }
  if (!options.probabilities.empty()) {
    TableNames names = names_beside(table);
    names.columns = class_words(model);
    job.write_beside("probabilities", options.probabilities, found.probabilities, names);
  }
  job.finish();
}

void label_new_rows(Job& job, const std::string& path, const LabelOptions& options) {
  const Model model = job.load(options.model);
  if (find_method(model.method()).kind != MethodKind::Labels)
    throw Error(ErrorKind::InvalidData,
                {.problem = fmt::format("{}, of {}, finds no labels", options.model, model.method()),
                 .advice = "use a model of 'unroll label --save'",
                 .option = "model"});
  const MethodInput input = read_rows(job, path, model);
  finish(job, find_labels(job, model, rows_of(input)), model, names_of(input), options, false);
}

}  // namespace

Command describe_label(const Arguments& seen) {
  Command command{
      .name = "label",
      .summary = "find the classes of all rows from those of some",
      .usage = " INPUT --labels FILE [options]",
      .examples = {{"unroll label digits.csv.gz --labels some.txt", "how many, and what is found"},
                   {"unroll label data.csv --label-column kind -o kinds.csv", "rows without a kind get one"},
                   {"unroll label data.csv --labels some.txt --method propagation --probabilities p.csv"},
                   {"unroll label data.csv --labels some.txt --save kinds.unroll -o kinds.csv"},
                   {"unroll label new.csv --model kinds.unroll -o -", "classes of new rows"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "Without -o a summary is printed. The csv has the columns probability and label; in front of them the row "
          "names, if the input has some. A row that no label reaches, since its part of the graph has none, gets an "
          "empty label and equal probabilities.\n"
          "The options of the fit are those of --method; 'unroll methods label_propagation' tells more, and so do "
          "label_spreading and label_eigenvectors.\n"
          "With --metric precomputed or --weights precomputed the input is a matrix, full or sparse, of distances or "
          "of weights.",
      .outputs = {"output", "probabilities", "save"},
  };
  const Method& method = seen_method(seen);
  command.groups.push_back({"Options", make_flags<LabelOptions>()});
  command.groups.push_back({fmt::format("Options of {}", method.name), make_algorithm_flags(method.options), false});
  add_job_flags(command);
  return command;
}

void run_label(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<LabelOptions>("label");
  const Method& method = method_of(options.method);
  if (!options.model.empty()) check_only_new_rows(arguments, method);
  const OptionValues values = arguments.values(method.options, method.name);
  Job job("label", arguments, console, options.output);
  check_save(options.save);
  const std::string path = arguments.positional(0);
  if (!options.model.empty()) return label_new_rows(job, path, options);

  const MethodInput input = read_input(job, path, method, values);
  Table table = names_of(input);
  const std::vector<std::string> words = known_words(job, options.labels, path, table, rows_of(input).rows());
  const std::vector<std::string> classes = classes_among(words);
  job.note(fmt::format("{} of {} rows have a label, of {}",
                       std::ssize(words) - std::count(words.begin(), words.end(), ""), words.size(),
                       classes.size() == 1 ? "1 class" : fmt::format("{} classes", classes.size())));
  Beginning known;
  known.labels = class_of_rows(words);
  Model model = job.compute([&] { return fit(method, input, values, job.run(), known); });
  model = with_columns(model, input);
  Features features = model.features();
  features.classes = classes;
  model = model.with_features(std::move(features));
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (!options.save.empty()) job.save(options.save, model);
  if (options.labels.empty()) table.labels.clear();  // what was known is in the result
  finish(job, {model.labels(), model.coordinates()}, model, table, options, true);
}

}  // namespace unroll::cli
