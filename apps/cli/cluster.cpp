#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "help.h"
#include "method_command.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/methods/spectral_clustering.h"

namespace unroll::cli {
namespace {

struct ClusterOptions {
  std::string output = {};
  std::string save = {};
  std::string model = {};

  static OptionFields fields() {
    return {
        field<&ClusterOptions::output>("output", any_value(),
                                       "The cluster of every row, from 0: .csv, .tsv, .txt or .npy[.gz]."),
        field<&ClusterOptions::save>("save", any_value(), "The fitted model, for --model and 'unroll transform'."),
        field<&ClusterOptions::model>("model", any_value(), "Find the clusters of new rows with a saved model."),
    };
  }
};

const Method& method() { return *methods_of(MethodKind::Clusters).front(); }

/// Whether the brief help shows the option, too.
bool is_usual_for_clusters(std::string_view option) {
  return option == "n_clusters" || option == "laplacian" || option == "random_state";
}

/// Options of the fit have no effect on a model that is fitted already: refuses them.
void check_no_fit(const Arguments& arguments) {
  std::vector<std::string> given;
  for (const OptionInfo& info : method().options)
    if (arguments.has(info.name)) given.push_back("--" + to_kebab(info.name));
  if (arguments.has("save")) given.emplace_back("--save");
  if (given.empty()) return;
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("{} is for a fit, but --model names one that is done", joined(given)),
               .advice = "leave out one or the other",
               .option = "model"});
}

Model load_clusters(Job& job, const std::string& path) {
  Model model = job.load(path);
  if (model.labels().empty())
    throw Error(ErrorKind::InvalidData, {.problem = fmt::format("{}, of {}, has no clusters", path, model.method()),
                                         .advice = "use a model of 'unroll cluster --save'",
                                         .option = "model"});
  return model;
}

Index clusters_of(const Model& model) {
  for (const auto& [name, value] : model.options())
    if (name == "n_clusters") return std::get<std::int64_t>(value);
  return 0;
}

std::vector<std::int64_t> sizes_of(const std::vector<Index>& labels, Index clusters) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(clusters));
  for (const Index label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

/// A list of numbers, shortened if it is long.
template <class T>
std::string list_text(const std::vector<T>& values, const char* format) {
  constexpr std::size_t kShown = 10;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i)
    words.push_back(fmt::format(fmt::runtime(format), values[i]));
  return joined(words) + (values.size() > kShown ? ", ..." : "");
}

std::vector<Definition> facts_of(const Model& model) {
  std::vector<Definition> facts;
  for (const auto& [name, value] : model.embedding().attributes) {
    if (name == "conductance")
      facts.emplace_back(name, list_text(std::get<std::vector<double>>(value), "{:.3g}") +
                                   ": weight of the edges that leave a cluster, over its own or the rest's");
    if (name == "suggested_clusters")
      facts.emplace_back("suggested",
                         fmt::format("{}, by the largest gap between the eigenvalues", std::get<std::int64_t>(value)));
    if (name == "components") facts.emplace_back("components", fmt::format("{}", std::get<std::int64_t>(value)));
  }
  return facts;
}

/// -k is the number of neighbours, not of clusters: says how many clusters nobody has asked for.
void note_default_clusters(Job& job, const Model& model) {
  std::string suggestion;
  for (const auto& [name, value] : model.embedding().attributes)
    if (name == "suggested_clusters")
      suggestion = fmt::format("; the largest gap between the eigenvalues suggests {}", std::get<std::int64_t>(value));
  job.note(fmt::format("{} clusters, the default{}; n_clusters=N sets another number", clusters_of(model), suggestion));
}

std::string summary(const std::vector<std::int64_t>& sizes, std::size_t points, const Model* fitted) {
  std::vector<Definition> facts{{"points", fmt::format("{}", points)},
                                {"clusters", fmt::format("{}, of {} points", sizes.size(), list_text(sizes, "{}"))}};
  if (fitted != nullptr)
    for (auto& fact : facts_of(*fitted)) facts.push_back(std::move(fact));
  return definition_list(facts, text_width());
}

/// Reports and writes the clusters of the rows of `table`; `fitted` is null if these rows are new to the model.
void finish(Job& job, const std::vector<Index>& labels, Index clusters, const Table& table, const Model* fitted,
            const ClusterOptions& options) {
  const std::vector<std::int64_t> sizes = sizes_of(labels, clusters);
  job.report().results.emplace_back("clusters", OptionValues{{"n_clusters", std::int64_t{clusters}}, {"sizes", sizes}});
  if (options.output.empty()) {
    job.print_summary(summary(sizes, labels.size(), fitted));
  } else {
    Array2<double> column(std::ssize(labels), 1);
    std::copy(labels.begin(), labels.end(), column.data());
    TableNames names = names_beside(table);
    names.columns = {"cluster"};
    job.write("labels", column, names);
  }
  job.finish();
}

}  // namespace

Command describe_cluster(const Arguments&) {
  Command command{
      .name = "cluster",
      .summary = "part rows into clusters by the eigenvectors of their graph",
      .usage = " INPUT [--n-clusters C] [options]",
      .examples = {{"unroll cluster moons.npy --n-clusters 2", "how good, how many?"},
                   {"unroll cluster data.csv --n-clusters 3 -o labels.csv --save parts.unroll"},
                   {"unroll cluster new.csv --model parts.unroll -o -", "clusters of new rows"},
                   {"unroll cluster weights.npz --weights precomputed --n-clusters 4 --json"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "Without -o a summary is printed. The csv has the column cluster, from 0 in the order of the clusters' first "
          "rows; in front of it the row names, if the input has some; behind it the labels, with --label-column.\n"
          "With --metric precomputed or --weights precomputed the input is a matrix, full or sparse, of distances or "
          "of weights. 'unroll methods spectral_clustering' tells more.",
  };
  command.groups.push_back({"Options", make_flags<ClusterOptions>()});
  std::vector<OptionInfo> usual, others;
  for (const OptionInfo& info : method().options) (is_usual_for_clusters(info.name) ? usual : others).push_back(info);
  command.groups.push_back({"Options of the clustering", make_algorithm_flags(usual)});
  command.groups.push_back({"More options of the clustering", make_algorithm_flags(others), false});
  add_job_flags(command);
  return command;
}

void run_cluster(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<ClusterOptions>("cluster");
  if (!options.model.empty()) check_no_fit(arguments);
  const OptionValues values = arguments.values(method().options, method().name);
  Job job("cluster", arguments, console, options.output);
  check_save(options.save);

  if (!options.model.empty()) {
    const Model model = load_clusters(job, options.model);
    const MethodInput rows = read_rows(job, arguments.positional(0), model);
    const auto labels = job.compute([&] { return model.predict(rows_of(rows), job.run()); });
    return finish(job, labels, clusters_of(model), names_of(rows), nullptr, options);
  }
  const MethodInput input = read_input(job, arguments.positional(0), method(), values);
  const Model model = job.compute([&] { return fit(method(), input, values, job.run()); });
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (!options.save.empty()) job.save(options.save, with_columns(model, input));
  if (!arguments.has("n_clusters")) note_default_clusters(job, model);
  finish(job, model.labels(), clusters_of(model), names_of(input), &model, options);
}

}  // namespace unroll::cli
