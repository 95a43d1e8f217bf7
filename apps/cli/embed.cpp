#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "method_command.h"
#include "quality_report.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"

namespace unroll::cli {
namespace {

struct EmbedOptions {
  std::string method = {};
  std::string output = {};
  std::string save = {};
  bool quality = false;

  static OptionFields fields() {
    return {
        field<&EmbedOptions::method>("method", any_value(), "How to embed; 'unroll methods' lists them."),
        field<&EmbedOptions::output>("output", any_value(), "Coordinates: .npy, .csv, .tsv or .txt[.gz]. [default=-]"),
        field<&EmbedOptions::save>("save", any_value(), "The fitted model, for 'unroll transform'."),
        field<&EmbedOptions::quality>("quality", any_value(), "Tell how well neighborhoods are kept."),
    };
  }
};

void warn_no_quality(Job& job, std::string why) { job.warn({{"no-quality", std::move(why), ""}}); }

/// sqrt(k(x,x) - 2 k(x,y) + k(y,y)): the distances in the feature space of a kernel.
Array2<double> kernel_distances(PointsView kernel) {
  Array2<double> distances = Array2<double>::uninitialized(kernel.rows(), kernel.cols());
  kernel.visit([&](auto k) {
    const auto at = [&](Index i, Index j) { return static_cast<double>(k(i, j)); };
    for (Index i = 0; i < k.rows; ++i)
      for (Index j = 0; j < k.cols; ++j)
        distances(i, j) = std::sqrt(std::max(0.0, at(i, i) - (at(i, j) + at(j, i)) + at(j, j)));
  });
  return distances;
}

/// Measures the quality with the method's own metric, if it has one. The number of neighbours is the same for all
/// methods and their options, so that figures can be compared.
void measure(Job& job, const MethodInput& input, const Model& model) {
  const auto* table = std::get_if<Table>(&input);
  if (table == nullptr) return warn_no_quality(job, "a sparse matrix does not tell who is near whom among all points");
  PointsView points = table->view();
  auto options = quality_options_of(model, points.rows());
  if (!options)
    return warn_no_quality(job, fmt::format("{} points are too few to compare neighborhoods", points.rows()));
  Array2<double> distances;
  if (is_precomputed(model.options()) && options->metric != Metric::Precomputed) {  // a kernel
    distances = kernel_distances(points);
    points = distances;
    options->metric = Metric::Precomputed;
  }
  const auto quality = neighborhood_quality(points, model.coordinates(), *options, job.run());  // not a part of the fit
  job.warn(quality.warnings);
  OptionValues values = quality_values(quality);
  values.push_back({"n_neighbors", options->n_neighbors});
  job.report().results.emplace_back("metrics", std::move(values));
  job.report().notes.push_back(fmt::format(
      "trustworthiness {:.4f}, continuity {:.4f}, neighbor preservation {:.4f} (k={})", quality.trustworthiness.value,
      quality.continuity.value, quality.neighbor_preservation.value, options->n_neighbors));
}

constexpr const char* kNotes =
    "Tables are .npy, .npz, .mtx (MatrixMarket), .csv, .tsv, .txt or idx (MNIST), each also .gz; the content decides. "
    "- is standard input or, for csv, standard output.\n"
    "The csv has a header: pca0, pca1, ...; in front of them id, if the input has row names; behind them label, with "
    "--label-column.\n"
    "UNROLL_THREADS sets the default of --threads; NO_COLOR and TERM=dumb turn colors off.\n"
    "Exit codes: 0 done, 1 files and the like, 2 wrong usage, 3 unusable data, 4 no convergence, 5 too little memory, "
    "130 interrupted. A reader that closes its pipe ends the command quietly.\n"
    "With --metric precomputed the table is the matrix of distances. A sparse one, such as 'unroll neighbors -o g.npz' "
    "writes, is a graph for the methods that take it ('unroll methods NAME' tells); lle, mlle, hlle and ltsa also need "
    "the "
    "distances among the neighbors of a point.";

}  // namespace

Command describe_embed(const Arguments& seen) {
  Command command{
      .name = "embed",
      .summary = "fit a method to a table and write its coordinates",
      .usage = " INPUT -m METHOD [options]",
      .examples = {{"unroll embed roll.npy -m isomap -k 12 -o flat.csv"},
                   {"unroll embed data.csv -m pca -d 3 --save map.unroll -o map.npy"},
                   {"unroll embed iris.csv -m pca --label-column species --scale standardize"},
                   {"unroll embed graph.npz -m isomap --metric precomputed -o map.csv"},
                   {"zcat big.csv.gz | unroll embed - -m pca --json | jq .timings_s"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes = kNotes,
  };
  add_method_flags(command, make_flags<EmbedOptions>(), seen);
  if (!seen.has("method")) return command;
  const std::string name = find_method(seen.text("method")).name;
  command.examples = {{fmt::format("unroll embed data.csv -m {} -o map.csv", name)},
                      {fmt::format("unroll embed data.csv -m {} -d 3 --save map.unroll", name)}};
  return command;
}

void run_embed(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<EmbedOptions>("embed");
  const Method& method = chosen_method("embed", options.method);
  const OptionValues values = arguments.values(method.options, method.name);

  Job job("embed", arguments, console, options.output);
  check_save("embed", options.save);

  const MethodInput input = read_input(job, arguments.positional(0), method, values);
  const Model model = job.compute([&] { return fit(method, input, values, job.run()); });
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (options.quality) measure(job, input, model);
  if (!options.save.empty()) job.save(options.save, with_columns(model, input));
  job.write("coordinates", model.coordinates(), method.name, names_of(input));
  job.finish();
}

}  // namespace unroll::cli
