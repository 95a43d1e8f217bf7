#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/text.h"
#include "ground_truth.h"
#include "job.h"
#include "model_columns.h"
#include "quality_output.h"
#include "quality_report.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/quality/quality.h"
#include "verb.h"

namespace unroll::cli {
namespace {

struct QualityFiles {
  std::string output = {};
  std::string labels = {};
  std::string truth = {};
  std::string shepard = {};
  bool per_point = false;

  static OptionFields fields() {
    return {
        field<&QualityFiles::output>("output", any_value(), "The measures: .npy, .csv, .tsv or .txt[.gz]."),
        field<&QualityFiles::labels>("labels", any_value(),
                                     "A label per point, number or word, to be told by its neighbors."),
        field<&QualityFiles::truth>("truth", any_value(), "True coordinates, a row per point."),
        field<&QualityFiles::shepard>("shepard", any_value(),
                                      "Distances of 5000 pairs in HIGH and in LOW, for Shepard's diagram."),
        field<&QualityFiles::per_point>(
            "per_point", any_value(),
            "Write measures of every point: trustworthiness, continuity, neighbor preservation, R_NX area and stress."),
    };
  }
};

/// The names in the first line, if it is one of names.
std::vector<std::string> names_in(const std::string& path) {
  std::error_code ignored;  // what is read from a pipe here would be missing later
  if (!std::filesystem::is_regular_file(path, ignored)) return {""};
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(",;\t ", begin), line.size());
    std::string name = line.substr(begin, end - begin);
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    names.push_back(std::move(name));
    begin = end + 1;
  }
  return names;
}

/// The columns that 'unroll embed' wrote: pca0, pca1, ...
std::vector<std::string> coordinates_among(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return method_of_coordinate(name).empty(); });
  return names;
}

/// Says which columns of the map were left out.
void note_left_out(Job& job, const Table& low, const std::string& path) {
  if (!low.unknown.empty())
    job.note(fmt::format("{}: only {} {} measured; left out {}", path, joined(low.column_names),
                         low.column_names.size() == 1 ? "is" : "are", quoted_names(low.unknown)));
}

/// Row i of both must be the same point: names tell.
void check_same_names(const Table& high, const std::string& high_path, const Table& low, const std::string& low_path) {
  if (high.row_names.empty() || low.row_names.empty()) return;
  for (std::size_t i = 0; i < high.row_names.size(); ++i)
    if (high.row_names[i] != low.row_names[i])
      throw Error(ErrorKind::InvalidData,
                  {.who = "quality",
                   .problem = fmt::format("row {} is '{}' in '{}' and '{}' in '{}'", i + 1, high.row_names[i],
                                          high_path, low.row_names[i], low_path),
                   .advice = "row i of both must be the same point: put the rows in one order"});
}

/// Reads coordinates that 'embed' wrote: columns with the names of the input's labels, or called label, or a last one
/// of text are no coordinates.
Table read_coordinates(Job& job, const std::string& path, const Table& high) {
  if (path == "-") return job.read_beside(path);
  const auto is_of_content = [](const Error& error) {
    return error.kind() == ErrorKind::InvalidOption || error.kind() == ErrorKind::InvalidData;
  };
  std::string all = high.label_name;
  for (const TextColumn& column : high.more_labels) all += "," + column.name;
  const std::vector<std::string> header = names_in(path);
  const ColumnChoice coordinates{.names = coordinates_among(header)};
  for (const std::string& names : {all, high.label_name, TableNames().label_header}) {
    if (names.empty()) continue;
    try {
      return job.read_beside(path, {.label_column = names, .trained = coordinates});
    } catch (const Error& error) {
      if (!is_of_content(error)) throw;
    }
  }
  try {
    Table table = job.read_beside(path);
    const bool has_others = !coordinates.names.empty() && coordinates.names.size() < table.column_names.size();
    return has_others ? job.read_beside(path, {.trained = coordinates}) : table;
  } catch (const Error& error) {
    const std::string& last = header.back();
    if (!is_of_content(error) || last.empty()) throw;
    try {
      return job.read_beside(path, {.label_column = last, .trained = coordinates});
    } catch (const Error& again) {
      if (!is_of_content(again)) throw;
    }
    throw;
  }
}

/// Values per point need all points and all measures that have some. Ranks of all points take too long for many.
void require_all_points(QualityOptions& options, Index n) {
  options.measures.clear();
  options.max_points = std::max<std::int64_t>(n, 100);  // the least that the option takes
}

constexpr const char* kQualityNotes =
    "trustworthiness: 1 where the nearest points of the embedding are near in HIGH, too; low where strangers meet.\n"
    "continuity: 1 where the nearest points of HIGH are near in the embedding, too; low where neighbors are torn "
    "apart.\n"
    "neighbor_preservation: share of the k nearest points that are the same in both.\n"
    "r_nx_area: the same over neighborhoods of all sizes, small and large alike; 1 is best, 0 is chance. --json has "
    "its "
    "curve. q_local, q_global: shares kept in neighborhoods of up to k_max points, and of more.\n"
    "distance_pearson, distance_spearman: correlation of the distances between points, undefined where all are equal; "
    "residual_variance: 1 - pearson^2.\n"
    "stress_1: what is left of the distances beside those of the embedding times stress_scale, the best scale; "
    "normalized_stress: without a scale; 0 is best. raw_stress: the sum of squared differences.\n"
    "Of many points a sample is taken, and of more than --max-pairs pairs, so that a million points take less than a "
    "minute on two cores; ..._95 is the interval that holds the true value in 95 of 100 cases.\n"
    "label_accuracy: share of points whose label is that of most of their k neighbors in the embedding; "
    "label_accuracy_high: in HIGH.\n"
    "affine_r2: share of the variance of each true coordinate that an affine map of the embedding explains, "
    "undefined for one that does not vary; procrustes: what shifting, turning and scaling cannot explain, 0 is best; "
    "true_distance_...: as distance_..., "
    "with the true coordinates.";

}  // namespace

Command describe_quality(const Arguments&) {
  Command command{
      .name = "quality",
      .summary = "measure how far an embedding can be trusted",
      .usage = " HIGH LOW [options]",
      .examples = {{"unroll embed roll.npy -m pca -o flat.npy && unroll quality roll.npy flat.npy"},
                   {"unroll quality roll.npy flat.npy -k 20 --truth truth.npy"},
                   {"unroll quality digits.csv map.csv --label-column digit --json | jq .metrics"},
                   {"unroll quality roll.npy flat.npy --per-point -o points.csv"},
                   {"unroll quality roll.npy flat.npy --shepard distances.csv"}},
      .arguments =
          {{"HIGH", "The points, samples in rows."},
           {"LOW", "Their coordinates, row by row.", true, {}, "LOW, the file with the map's coordinates, is missing"}},
      .notes = kQualityNotes,
      .outputs = {"output", "shepard"},
  };
  command.groups.push_back({"Options", make_flags<QualityFiles>()});
  command.groups.push_back({"Options of the measures", make_algorithm_flags(describe_options<QualityOptions>())});
  add_job_flags(command, "Reading HIGH");
  return command;
}

void run_quality(const Arguments& arguments, const Console& console) {
  const auto files = arguments.get<QualityFiles>("quality");
  auto options = arguments.get<QualityOptions>("quality");
  const std::string high_path = arguments.positional(0), low_path = arguments.positional(1);
  Job job("quality", arguments, console, files.output);
  job.report().params = option_values(options);
  check_table_path(files.shepard);

  const Table high = job.read(high_path), low = read_coordinates(job, low_path, high);
  note_left_out(job, low, low_path);
  if (low.view().cols() > high.view().cols())
    job.note(
        fmt::format("'{}' has {} columns and '{}' {}: are the two files in this order, the points and then the map?",
                    high_path, high.view().cols(), low_path, low.view().cols()));
  const Index rows = high.view().rows();
  check_same_rows("quality", high_path, rows, low_path, low.view().rows());
  check_same_names(high, high_path, low, low_path);
  if (files.per_point) require_all_points(options, rows);
  GroundTruth known;
  Table truth;
  if (!files.truth.empty()) {
    truth = job.read_beside(files.truth);
    check_same_rows("quality", high_path, rows, files.truth, truth.view().rows());
    known.coordinates = truth.view();
  }
  if (!files.labels.empty()) {
    known.labels = numbered_words(read_labels(job, "quality", files.labels, high_path, rows));
  } else if (const auto& labels = high.labels.empty() ? low.labels : high.labels; !measured_labels(labels)) {
    note_no_labels(job, labels);
    known.labels = numbered_words(labels);
  } else {
    job.note(fmt::format("{} has numbers rather than classes: it is not told by neighbors; --labels FILE takes any",
                         high.label_name.empty() ? "the label column" : fmt::format("'{}'", high.label_name)));
  }

  const Quality result = job.compute([&] { return quality(high.view(), low.view(), known, options, job.run()); });
  job.warn(result.warnings);
  const OptionValues measures = quality_values(result);
  job.report().results.emplace_back("metrics", measures);
  if (result.co_ranking.area.sample > 0) job.report().results.emplace_back("r_nx", curve_values(result));
  write_shepard(job, files.shepard, high.view(), low.view(), options);
  if (files.per_point) {
    std::vector<double> stress;
    if (result.co_ranking.area.sample == rows)
      stress = job.compute([&] { return point_stress(high.view(), low.view(), options, job.run()); });
    write_per_point(job, result, stress, high);
  } else if (!files.output.empty()) {
    write_measures(job, measures);
  } else {
    job.print_summary(quality_text(result));
  }
  job.finish();
}

}  // namespace unroll::cli
