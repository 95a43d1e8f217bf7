#include "unroll/advice/dimension.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/text.h"
#include "help.h"
#include "job.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "verb.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kDimension = "dimension";

struct DimensionFiles {
  std::string output = {};
  bool per_point = false;

  static OptionFields fields() {
    return {
        field<&DimensionFiles::output>("output", any_value(), "The estimate of every point, a row each."),
        field<&DimensionFiles::per_point>("per_point", any_value(),
                                          "Write the estimate of every point; without -o to standard output."),
    };
  }
};

OptionValue value_of(const std::optional<Index>& number) {
  return number ? OptionValue(std::int64_t{*number}) : OptionValue{};
}

OptionValues values_of(const DimensionReport& found) {
  OptionValues values{{"dimension", found.dimension},
                      {"coordinates", std::int64_t{found.coordinates}},
                      {"maximum_likelihood", found.nearest.maximum_likelihood},
                      {"two_nn", found.nearest.two_nn},
                      {"two_nn_likelihood", found.nearest.two_nn_likelihood},
                      {"zero_distances", std::int64_t{found.nearest.zero_distances}},
                      {"points_used", std::int64_t{found.nearest.points_used}}};
  if (const auto& correlation = found.correlation)
    values.insert(values.end(), {{"correlation", correlation->dimension},
                                 {"correlation_radii", std::vector{correlation->low_radius, correlation->high_radius}},
                                 {"correlation_shares", std::vector{correlation->low_share, correlation->high_share}},
                                 {"correlation_pairs", std::int64_t{correlation->pairs}}});
  const auto add_axes = [&](const std::string& name, const std::optional<VarianceSpectrum>& axes) {
    if (!axes) return;
    values.insert(values.end(), {{name + "_gap", value_of(axes->gap)},
                                 {name + "_participation", axes->participation},
                                 {name + "_axes_for_95", std::int64_t{axes->axes_for_95}},
                                 {name + "_variance_shares", axes->shares}});
  };
  add_axes("pca", found.global);
  add_axes("local_pca", found.local);
  values.push_back({"residual_variance", found.residual_variance});
  values.push_back({"residual_variance_elbow", value_of(found.elbow)});
  values.push_back({"verdict", found.verdict});
  return values;
}

std::vector<OptionValues> scales_of(const DimensionReport& found) {
  std::vector<OptionValues> rows;
  for (const DimensionAtScale& scale : found.scales)
    rows.push_back({{"n_neighbors", std::int64_t{scale.n_neighbors}}, {"maximum_likelihood", scale.dimension}});
  return rows;
}

std::string scale_text(const std::vector<DimensionAtScale>& scales) {
  std::vector<std::string> texts;
  for (const DimensionAtScale& scale : scales)
    texts.push_back(fmt::format("{:.2f} with {}", scale.dimension, scale.n_neighbors));
  return joined(texts) + " neighbors";
}

/// "gap after 2, 2.4 by participation, 2 hold 95 %"
std::string axes_text(const VarianceSpectrum& axes) {
  if (axes.axes_for_95 == 0) return "no variance";
  const std::string gap = axes.gap ? fmt::format("gap after {}", *axes.gap) : "no gap";
  return fmt::format("{}, {:.2f} by participation, 95 % of the variance in {}", gap, axes.participation,
                     axes.axes_for_95);
}

/// "elbow at 2: 0.41, 0.02, 0.02, ..."
std::string residual_text(const DimensionReport& found) {
  constexpr std::size_t kShown = 5;
  if (found.residual_variance.empty()) return "not known";
  std::vector<std::string> shown;
  for (std::size_t d = 0; d < std::min(kShown, found.residual_variance.size()); ++d)
    shown.push_back(fmt::format("{:.2g}", found.residual_variance[d]));
  if (found.residual_variance.size() > kShown) shown.emplace_back("...");
  const std::string elbow = found.elbow ? fmt::format("elbow at {}", *found.elbow) : "no elbow";
  return fmt::format("{}; residual variance {}", elbow, joined(shown));
}

/// The middle half of the estimates of single points.
std::string per_point_text(const IntrinsicDimension& nearest) {
  std::vector<double> known;
  std::copy_if(nearest.per_point.begin(), nearest.per_point.end(), std::back_inserter(known),
               [](double value) { return value > 0; });
  if (known.empty()) return "not known";
  std::sort(known.begin(), known.end());
  return fmt::format("{:.2f} to {:.2f} for the middle half of them", known[known.size() / 4],
                     known[known.size() * 3 / 4]);
}

std::string summary(const DimensionReport& found) {
  std::vector<Definition> rows{
      {"likelihood", scale_text(found.scales)},
      {"TwoNN", fmt::format("{:.2f}; {:.2f} by likelihood", found.nearest.two_nn, found.nearest.two_nn_likelihood)}};
  if (const auto& correlation = found.correlation)
    rows.emplace_back("correlation", fmt::format("{:.2f} for distances from {:.3g} to {:.3g}", correlation->dimension,
                                                 correlation->low_radius, correlation->high_radius));
  if (found.local) rows.emplace_back("local axes", axes_text(*found.local));
  if (found.global) rows.emplace_back("all axes", axes_text(*found.global));
  rows.emplace_back("paths", residual_text(found));
  rows.emplace_back("single points", per_point_text(found.nearest));
  std::string text = definition_list(rows, text_width());
  for (const std::string& line : wrap(joined(found.verdict, " "), text_width())) text += line + "\n";
  return text;
}

void write_per_point(Job& job, const DimensionReport& found, const Table* table) {
  Array2<double> column(std::ssize(found.nearest.per_point), 1);
  std::copy(found.nearest.per_point.begin(), found.nearest.per_point.end(), column.data());
  TableNames names = table != nullptr ? names_beside(*table) : TableNames{};
  names.columns = {std::string(kDimension)};
  job.write("dimensions", column, names);
}

}  // namespace

Command describe_dimension(const Arguments&) {
  Command command{
      .name = "dimension",
      .summary = "estimate how many coordinates the data need, in five ways",
      .usage = " INPUT [-k K] [--per-point -o FILE] [options]",
      .examples = {{"unroll dimension roll.npy", "which to believe"},
                   {"unroll dimension noisy.npy -k 20", "sees beyond noise"},
                   {"unroll dimension roll.npy --per-point -o dimensions.csv", "of every point"},
                   {"unroll dimension roll.npy --json | jq .dimension.coordinates"},
                   {"unroll dimension distances.csv --metric precomputed"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "likelihood: Levina and Bickel, averaged as MacKay and Ghahramani say, for several numbers of neighbors. "
          "TwoNN: from the two nearest of every point. correlation: the slope of log C(r), the share of pairs nearer "
          "than r (Grassberger and Procaccia). local axes, all axes: principal axes of neighborhoods and of the whole; "
          "a gap is a variance at least twice the next. paths: coordinates of a map by Isomap, the last that halves "
          "the residual variance.\n"
          "The first three count dimensions near a point. The last two count coordinates of the whole, which a curved "
          "or closed shape needs more of.\n"
          "Estimates of single points are rough: with k neighbors their standard error is the k - 1st part of one, "
          "under the root: 33 % with 10.",
  };
  command.groups.push_back({"Options", make_flags<DimensionFiles>()});
  std::vector<OptionInfo> usual, others;
  for (const OptionInfo& info : describe_options<DimensionOptions>())
    (info.name == "n_neighbors" || info.name == "metric" ? usual : others).push_back(info);
  command.groups.push_back({"Options of the estimates", make_flags(usual)});
  command.groups.push_back({"More options of the estimates", make_flags(others), false});
  add_job_flags(command);
  return command;
}

void run_dimension(const Arguments& arguments, const Console& console) {
  auto files = arguments.get<DimensionFiles>(kDimension);
  const auto options = arguments.get<DimensionOptions>(kDimension);
  if (!files.output.empty() && !files.per_point)
    throw Error(ErrorKind::InvalidOption,
                {.problem = "-o is for the estimates of every point", .advice = "add --per-point", .option = "output"});
  if (files.per_point && files.output.empty()) files.output = "-";
  Job job(kDimension, arguments, console, files.output);
  job.report().params = option_values(options);

  std::variant<Table, SparseTable> input;
  if (options.metric == Metric::Precomputed) {
    input = job.read_matrix(arguments.positional(0));
  } else if (job.keeps_sparse()) {
    input = job.read_sparse(arguments.positional(0));
  } else {
    input = job.read(arguments.positional(0));
  }
  const DimensionReport found = job.compute([&] {
    const auto* sparse = std::get_if<SparseTable>(&input);
    if (sparse == nullptr) return estimate_dimension(std::get<Table>(input).view(), options, job.run());
    const Input given = options.metric == Metric::Precomputed ? Input(SparseDistances(sparse->values))
                                                              : Input(SparseRows(sparse->values));
    return estimate_dimension(given, options, job.run());
  });
  job.warn(found.warnings);
  job.report().results.emplace_back(kDimension, values_of(found));
  job.report().lists.emplace_back("scales", scales_of(found));
  if (files.per_point) {
    write_per_point(job, found, std::get_if<Table>(&input));
  } else {
    job.print_summary(summary(found));
  }
  job.finish();
}

}  // namespace unroll::cli
