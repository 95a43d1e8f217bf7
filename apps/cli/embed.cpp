#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/text.h"
#include "job.h"
#include "quality_report.h"
#include "unroll/core/error.h"
#include "unroll/registry.h"
#include "verb.h"
#include "writable.h"

namespace unroll::cli {
namespace {

struct EmbedOptions {
  std::string method = {};
  std::string output = {};
  std::string save = {};
  bool quality = false;

  static constexpr auto fields() {
    return std::tuple{
        Field{"method", &EmbedOptions::method, any_value(), "How to embed; 'unroll methods' lists them."},
        Field{"output", &EmbedOptions::output, any_value(), "Coordinates: .npy, .csv, .tsv or .txt[.gz]. [default=-]"},
        Field{"save", &EmbedOptions::save, any_value(), "The fitted model, for 'unroll transform'."},
        Field{"quality", &EmbedOptions::quality, any_value(), "Tell how well neighborhoods are kept."},
    };
  }
};

/// Shown before a method is chosen: what most of them have.
struct UsualMethodOptions {
  std::int64_t n_components = 2;
  std::int64_t n_neighbors = 10;
  std::int64_t random_state = 0;

  static constexpr auto fields() {
    return std::tuple{
        Field{"n_components", &UsualMethodOptions::n_components, any_value(), "Coordinates to compute."},
        Field{"n_neighbors", &UsualMethodOptions::n_neighbors, any_value(), "Neighbors per point."},
        Field{"random_state", &UsualMethodOptions::random_state, any_value(), "Seed of all that is random."},
    };
  }
};

const Method& method_named(const std::string& name) { return find_method(to_snake(name)); }

/// The model must not take the place of the coordinates, nor they of it.
void check_save(const EmbedOptions& options) {
  if (options.save.empty()) return;
  if (options.save == "-") throw Error(ErrorKind::InvalidOption, "embed: --save needs a file; a model is not text");
  std::error_code ignored;
  if (options.save == options.output || std::filesystem::equivalent(options.save, options.output, ignored))
    throw Error(ErrorKind::InvalidOption,
                fmt::format("embed: -o and --save both name '{}'; give them different files", options.save));
  check_writable(options.save, "embed");
}

/// With the method's own number of neighbours and metric, where it has them.
void measure(Job& job, PointsView points, const Model& model) {
  const auto options = quality_options_of(model, points.rows());
  if (!options) {
    job.warn({{"no-quality", fmt::format("{} points are too few to compare neighborhoods", points.rows()), ""}});
    return;
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
    "130 interrupted. A reader that closes its pipe ends the command quietly.";

}  // namespace

Command describe_embed(const Arguments& seen) {
  Command command{
      .name = "embed",
      .summary = "fit a method to a table and write its coordinates",
      .usage = " INPUT -m METHOD [options]",
      .examples = {{"unroll embed roll.npy -m pca -o flat.csv"},
                   {"unroll embed data.csv -m pca -d 3 --save map.unroll -o map.npy"},
                   {"unroll embed iris.csv -m pca --label-column species --scale standardize"},
                   {"zcat big.csv.gz | unroll embed - -m pca --json | jq .timings_s"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
  };
  command.groups.push_back({"Options", make_flags<EmbedOptions>()});
  command.groups.push_back({kUsualOptions, make_flags<UsualMethodOptions>()});
  command.groups.push_back({"Reading text", make_flags<InputOptions>(), false});
  command.groups.push_back({"Running", make_flags<RunOptions>(), false});
  command.about = "'unroll embed -m METHOD --help' shows all options of a method.\n";
  command.notes = kNotes;
  if (!seen.has("method")) return command;

  const Method& method = method_named(seen.text("method"));
  command.summary = method.title;
  command.usage = fmt::format(" INPUT -m {} [options]", method.name);
  command.examples = {{fmt::format("unroll embed data.csv -m {} -o map.csv", method.name)},
                      {fmt::format("unroll embed data.csv -m {} -d 3 --save map.unroll", method.name)}};
  for (auto& group : command.groups) group.in_brief_help = false;
  command.groups[1] = {fmt::format("Options of {}", method.name), make_algorithm_flags(method.options)};
  command.about = fmt::format("Reference: {}\n", method.reference);
  command.topic = "embed -m " + method.name;
  return command;
}

void run_embed(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<EmbedOptions>("embed");
  if (options.method.empty())
    throw Error(ErrorKind::InvalidOption,
                fmt::format("embed: -m METHOD is missing; the methods are: {}", joined(method_names())));
  const Method& method = method_named(options.method);
  const OptionValues values = arguments.values(method.options, method.name);

  Job job("embed", arguments, console, options.output);
  check_save(options);

  const Table table = job.read(arguments.positional(0));
  const Model model = job.compute([&] { return method.fit(table.view(), values, job.run()); });
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (options.quality) measure(job, table.view(), model);
  if (!options.save.empty()) job.save(options.save, model);
  job.write("coordinates", model.coordinates(), method.name, table);
  job.finish();
}

}  // namespace unroll::cli
