#include "unroll/advice/advise.h"

#include <fmt/core.h>

#include <algorithm>

#include "comparison_table.h"
#include "core/text.h"
#include "doubts.h"
#include "help.h"
#include "job.h"
#include "shell.h"
#include "unroll/core/error.h"
#include "unroll/registry.h"
#include "verb.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kAdvise = "advise";

Table read_points(Job& job, const std::string& path, const AdviceOptions& options) {
  if (options.metric != Metric::Precomputed) {
    Table table = job.read(path);
    for (const std::string& doubt : doubts_about(table, path, options.scale != Scaling::None)) job.note(doubt);
    return table;
  }
  std::variant<Table, SparseTable> matrix = job.read_matrix(path);
  if (auto* table = std::get_if<Table>(&matrix)) return std::move(*table);
  throw Error(ErrorKind::Unsupported,
              fmt::format("'{}' is a sparse matrix, but maps are compared by all distances between points", path),
              "use a full matrix");
}

/// "unroll embed roll.npy -m isomap -k 10 -o map.csv": the options of the run that are not the method's defaults, and
/// the flags for reading the file.
std::string command_of(const ComparedMethod& run, const Arguments& arguments) {
  std::string text = fmt::format("unroll embed {} -m {}", shell_quoted(arguments.positional(0)), run.name);
  const Method& method = find_method(run.name);
  for (const auto& [name, value] : run.options) {
    const auto info = std::find_if(method.options.begin(), method.options.end(),
                                   [&, wanted = name](const OptionInfo& one) { return one.name == wanted; });
    if (info == method.options.end() || info->default_value == value) continue;
    text += shell_flag(make_flag(*info), to_text(value));
  }
  for (const Flag& flag : input_flags())
    if (arguments.has(flag.info.name)) text += shell_flag(flag, arguments.text(flag.info.name));
  return text + " -o map.csv";
}

OptionValue number_or_null(const std::optional<double>& value) { return value ? OptionValue(*value) : OptionValue{}; }

OptionValues values_of(const TriedMap& map) {
  const auto& quality = map.run.quality;
  std::vector<std::string> codes;
  for (const Warning& warning : map.run.warnings) codes.push_back(warning.code);
  return {{"name", map.run.name},
          {"label", map.run.label},
          {"size", number_or_null(map.size)},
          {"r_nx_area", number_or_null(map.area)},
          {"trustworthiness", quality ? OptionValue(quality->trustworthiness.value) : OptionValue{}},
          {"continuity", quality ? OptionValue(quality->continuity.value) : OptionValue{}},
          {"seconds", map.run.seconds},
          {"warnings", codes},
          {"error", map.run.error ? OptionValue(std::string(map.run.error->what())) : OptionValue{}}};
}

std::vector<OptionValues> values_of(const std::vector<Agreement>& agreements) {
  std::vector<OptionValues> rows;
  for (const Agreement& one : agreements)
    rows.push_back({{"label", one.label}, {"r_nx_area", one.area}, {"agreement", one.agreement}});
  return rows;
}

void fill_report(const Advice& advice, const AdviceOptions& options, const std::string& command, Report& report) {
  const TriedMap& best = advice.tried[advice.best];
  report.params = option_values(options);
  OptionValue connecting;
  if (advice.smallest_connecting_k) connecting = std::int64_t{*advice.smallest_connecting_k};
  report.results.emplace_back("advice", OptionValues{{"method", best.run.name},
                                                     {"label", best.run.label},
                                                     {"command", command},
                                                     {"r_nx_area", *best.area},
                                                     {"points", std::int64_t{advice.n_points}},
                                                     {"sample", std::int64_t{advice.sample}},
                                                     {"dimension", advice.dimension},
                                                     {"smallest_connecting_k", connecting},
                                                     {"evidence", advice.evidence},
                                                     {"reading", advice.reading},
                                                     {"notes", advice.notes}});
  report.results.emplace_back("options", best.run.options);
  std::vector<OptionValues> tried, graphs;
  for (const TriedMap& map : advice.tried) tried.push_back(values_of(map));
  for (const GraphFinding& graph : advice.graphs)
    graphs.push_back({{"n_neighbors", std::int64_t{graph.n_neighbors}},
                      {"components", std::int64_t{graph.components}},
                      {"short_circuits", std::int64_t{graph.short_circuits}}});
  report.lists.emplace_back("tried", std::move(tried));
  report.lists.emplace_back("graphs", std::move(graphs));
  report.lists.emplace_back("other_sizes", values_of(advice.sizes));
  report.lists.emplace_back("other_seeds", values_of(advice.seeds));
}

/// What was tried, the best first: area, trustworthiness, seconds, and codes of warnings.
std::string table_of(const Advice& advice, const Style& style) {
  std::size_t width = 6;
  for (const TriedMap& map : advice.tried) width = std::max(width, map.run.label.size());
  std::string text = style.bold(fmt::format("{:{}}    area   trust  seconds", "tried", width)) + "\n";
  for (const TriedMap& map : advice.tried) {
    if (!map.area) {
      text += fmt::format("{:{}}  failed\n", map.run.label, width);
      continue;
    }
    std::vector<std::string> codes;
    for (const Warning& warning : map.run.warnings)
      if (std::find(codes.begin(), codes.end(), warning.code) == codes.end()) codes.push_back(warning.code);
    text += fmt::format("{:{}}  {:6.3f}  {:6.3f}  {:7.2f}", map.run.label, width, *map.area,
                        map.run.quality ? map.run.quality->trustworthiness.value : 0, map.run.seconds);
    text += codes.empty() ? "\n" : fmt::format("  {}\n", joined(codes));
  }
  return text;
}

std::string paragraph(const std::vector<std::string>& sentences, std::size_t width) {
  std::string text;
  for (const std::string& sentence : sentences) {
    bool is_first = true;
    for (const std::string& line : wrap(sentence, width - 2)) {
      text += (is_first ? "- " : "  ") + line + "\n";
      is_first = false;
    }
  }
  return text;
}

std::string summary(const Advice& advice, const std::string& command, const Console& console) {
  const Style& style = console.out();
  std::vector<std::string> notes;
  for (const std::string& note : advice.notes) notes.push_back(console.worded(note));
  return fmt::format("{}\n\n{}\n{}\n{}\n{}\n{}\n{}", style.bold(command), style.bold("Why:"),
                     paragraph(advice.evidence, text_width()), style.bold("Reading the map:"),
                     paragraph(advice.reading, text_width()), table_of(advice, style), paragraph(notes, text_width()));
}

}  // namespace

Command describe_advise(const Arguments&) {
  Command command{
      .name = "advise",
      .summary = "try methods and numbers of neighbors, and recommend",
      .usage = " INPUT [-m A,B,...] [options]",
      .examples = {{"unroll advise roll.npy", "a command, and why"},
                   {"unroll advise digits.csv --label-column digit"},
                   {"unroll advise roll.npy -m pca,isomap,ltsa,mvu", "among these"},
                   {"unroll advise roll.npy --json | jq -r .advice.command"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "Methods are tried with 10 neighbors, or a perplexity of 30. The three best are tried with others from 5 to "
          "60 (120); the best of all with other seeds, if it is random. Of more than --max-points points a random "
          "sample is tried: it has fewer neighbors within a distance.\n"
          "area: under R_NX over the logarithm of the neighborhood's size: how much of all neighborhoods, small and "
          "large, the map keeps; 1 is all, 0 is chance. trust: trustworthiness of 10 neighbors. Of areas within 0.003 "
          "the simpler method wins.\n"
          "This looks at neighborhoods alone. Whether you need lengths, clusters or a model for new points is for you "
          "to say: docs/choosing.md has the question.",
  };
  command.groups.push_back({"Options", make_flags<AdviceOptions>()});
  add_job_flags(command);
  return command;
}

void run_advise(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<AdviceOptions>(kAdvise);
  Job job(kAdvise, arguments, console, "");
  const Table points = read_points(job, arguments.positional(0), options);
  Advice advice = job.compute([&] { return advise(points.view(), options, job.run()); });
  for (TriedMap& map : advice.tried) put_in_words(console, map.run);
  const std::string command = command_of(advice.tried[advice.best].run, arguments);
  fill_report(advice, options, command, job.report());
  job.print_summary(summary(advice, command, console));
  job.warn(advice.tried[advice.best].run.warnings);
  job.finish();
}

}  // namespace unroll::cli
