#include <fmt/format.h>

#include "core/text.h"
#include "job.h"
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

  static constexpr auto fields() {
    return std::tuple{
        Field{"method", &EmbedOptions::method, any_value(), "How to embed; 'unroll methods' lists them."},
        Field{"output", &EmbedOptions::output, any_value(),
              "Coordinates, by extension .npy, .csv, .tsv, .txt or one of these .gz. [default: csv on standard output]"},
        Field{"save", &EmbedOptions::save, any_value(), "The fitted model, for 'unroll transform'."},
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
        Field{"n_neighbors", &UsualMethodOptions::n_neighbors, any_value(),
              "Neighbors per point, for methods on a neighbor graph."},
        Field{"random_state", &UsualMethodOptions::random_state, any_value(), "Seed of all that is random."},
    };
  }
};

const Method& method_named(const std::string& name) { return find_method(to_snake(name)); }

FlagGroup method_flags(const Arguments& seen) {
  if (!seen.has("method"))
    return {"Options of most methods ('unroll embed -m METHOD --help' shows all)", make_flags<UsualMethodOptions>()};
  const Method& method = method_named(seen.text("method"));
  return {fmt::format("Options of {} ({})", method.name, method.title), make_algorithm_flags(method.options)};
}

}  // namespace

Command describe_embed(const Arguments& seen) {
  Command command{
      .name = "embed",
      .summary = "fit a method to a table and write its coordinates",
      .usage = "INPUT -m METHOD [options]",
      .examples = {{"unroll embed roll.npy -m pca -o flat.csv"},
                   {"unroll embed data.csv -m pca -d 3 --save map.unroll -o map.npy"},
                   {"unroll embed iris.csv -m pca --label-column species --scale standardize"},
                   {"zcat big.csv.gz | unroll embed - -m pca --json | jq .timings_s"}},
      .arguments = {{"INPUT", "Table, one row per sample: .npy, .csv, .tsv, .txt, idx, also .gz; - reads it from "
                              "standard input."}},
      .notes = "The csv has a header: pca0, pca1, ...; before them id, if the input has row names; behind them label, "
               "with --label-column.",
  };
  command.groups.push_back({"Files", make_flags<EmbedOptions>()});
  command.groups.push_back(method_flags(seen));
  command.groups.push_back({"Reading", make_flags<InputOptions>()});
  command.groups.push_back({"Running", make_flags<RunOptions>()});
  if (seen.has("method")) command.more = "embed -m " + seen.text("method");
  return command;
}

void run_embed(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<EmbedOptions>("embed");
  if (options.method.empty())
    throw Error(ErrorKind::InvalidOption,
                fmt::format("embed: -m METHOD is missing; the methods are: {}", joined(method_names())));
  const Method& method = method_named(options.method);
  const OptionValues values = arguments.values(method.options, method.name);

  Job job("embed", arguments, console);
  const std::string output = job.output_path(options.output);
  if (!options.save.empty()) check_writable(options.save, "embed");

  const Table table = job.read(arguments.positional(0));
  const Model model = job.compute([&] { return method.fit(table.view(), values, job.run()); });
  job.report().model = model;
  job.warn(model.embedding().warnings);
  if (!options.save.empty()) job.save(options.save, model);
  job.write(output, "coordinates", model.coordinates(), method.name, table);
  job.finish();
}

}  // namespace unroll::cli
