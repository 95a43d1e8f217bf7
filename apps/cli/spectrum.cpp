#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "help.h"
#include "method_command.h"
#include "scree.h"
#include "unroll/spectral/recipe_table.h"

namespace unroll::cli {
namespace {

struct SpectrumOptions {
  std::string method = {};
  std::int64_t n_eigenvalues = 20;
  std::string output = {};

  static constexpr auto fields() {
    return std::tuple{
        Field{"method", &SpectrumOptions::method, any_value(), "Whose spectrum; 'unroll methods' lists them."},
        Field{"n_eigenvalues", &SpectrumOptions::n_eigenvalues, at_least(1), "How many, from the end that it reads."},
        Field{"output", &SpectrumOptions::output, any_value(),
              "The table alone: .csv, .tsv, .txt or .npy[.gz]; a ratio of 0 says that there is none."},
    };
  }
};

/// Eigenvalues that a method can have of data of that shape. One of the table decomposes a matrix of points, of which
/// the constant vector is one that it knows; others one of features.
Index most_eigenvalues(const Method& method, const OptionValues& options, Index rows, Index cols) {
  const bool of_points = std::any_of(recipe_table().begin(), recipe_table().end(),
                                     [&](const RecipeWords& row) { return row.method == method.name; });
  if (!of_points) return std::min(rows, cols);
  Index points = rows;
  for (const auto& [name, value] : options)
    if (const auto* landmarks = std::get_if<std::int64_t>(&value); name == "n_landmarks" && landmarks != nullptr)
      points = std::min<Index>(points, *landmarks);
  return std::max<Index>(points - 1, 1);
}

/// What a fit says of coordinates, zeros among them, is not about eigenvalues.
std::vector<Warning> without_ranks(std::vector<Warning> warnings) {
  std::erase_if(warnings, [](const Warning& warning) { return warning.code == "rank-deficient"; });
  return warnings;
}

std::string cell(double value, const char* format) {
  return std::isnan(value) ? "" : fmt::format(fmt::runtime(format), value);
}

/// Of at most `width` characters, by the value's share of the largest.
std::string bar(double value, double largest, std::size_t width) {
  if (value <= 0 || largest <= 0) return "";
  const auto length = static_cast<std::size_t>(std::round(value / largest * static_cast<double>(width)));
  return length == 0 ? "." : std::string(length, '#');
}

std::string table_text(const Scree& scree, const Style& style, std::size_t width) {
  const bool has_left = !scree.residual_variance.empty(), has_share = !scree.share.empty();
  const auto line = [&](std::string_view number, std::string_view value, std::string_view share, std::string_view ratio,
                        std::string_view residual, std::string_view left) {
    return fmt::format("{:>4}  {:>12}  ", number, value) + (has_share ? fmt::format("{:>8}  ", share) : "") +
           fmt::format("{:>8}  {:>8}  ", ratio, residual) + (has_left ? fmt::format("{:>9}  ", left) : "");
  };
  const std::string header = line("", "EIGENVALUE", "SHARE", "RATIO", "RESIDUAL", "RES. VAR.");
  const std::size_t bar_width = std::max<std::size_t>(width, header.size() + 10) - header.size();
  const double largest = *std::max_element(scree.values.begin(), scree.values.end());
  std::string text = style.bold(header.substr(0, header.find_last_not_of(' ') + 1)) + "\n";
  for (std::size_t i = 0; i < scree.values.size(); ++i) {
    text += line(fmt::format("{}", i + 1), fmt::format("{:.6g}", scree.values[i]),
                 has_share ? fmt::format("{:.2f} %", 100 * scree.share[i]) : "", cell(scree.ratio[i], "{:.3g}"),
                 fmt::format("{:.0e}", scree.residuals[i]),
                 i < scree.residual_variance.size() ? fmt::format("{:.3g}", scree.residual_variance[i]) : "");
    text += bar(scree.values[i], largest, bar_width);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string facts_text(const Scree& scree, const Model& model, std::size_t width) {
  const Spectrum& spectrum = model.embedding().spectrum;
  std::vector<Definition> facts{
      {"suggested", scree.suggested ? fmt::format("{} dimension{}: {}", *scree.suggested,
                                                  *scree.suggested == 1 ? "" : "s", scree.reason)
                                    : fmt::format("none: {}", scree.reason)},
      {"solver", spectrum.iterations > 0 ? fmt::format("{}, iterations: {}", spectrum.solver, spectrum.iterations)
                                         : spectrum.solver}};
  if (!scree.share.empty())
    facts.emplace_back("share", scree.of_total ? "of the total variance" : "of the sum of the positive ones shown");
  facts.emplace_back("ratio", "of an eigenvalue to the next");
  facts.emplace_back("residual", "|A v - l v| of the pair, relative to the norm of A");
  if (!scree.residual_variance.empty())
    facts.emplace_back("res. var.", "1 - r^2 of the distances in a map of so many dimensions with the geodesic ones");
  return definition_list(facts, width);
}

OptionValues values_of(const Scree& scree) {
  OptionValue suggested;
  if (scree.suggested) suggested = *scree.suggested;
  OptionValues values{{"eigenvalues", scree.values}, {"ratio", scree.ratio}};
  if (!scree.share.empty()) values.push_back({scree.of_total ? "share_of_total" : "share_of_shown", scree.share});
  if (!scree.residual_variance.empty()) values.push_back({"residual_variance", scree.residual_variance});
  values.push_back({"suggested_components", suggested});
  values.push_back({"reason", scree.reason});
  return values;
}

void write_table_of(Job& job, const Scree& scree) {
  std::vector<std::string> names{"eigenvalue", "ratio", "residual"};
  std::vector<const std::vector<double>*> columns{&scree.values, &scree.ratio, &scree.residuals};
  if (!scree.share.empty()) names.emplace_back("share"), columns.push_back(&scree.share);
  if (scree.residual_variance.size() == scree.values.size())
    names.emplace_back("residual_variance"), columns.push_back(&scree.residual_variance);
  Array2<double> table(std::ssize(scree.values), std::ssize(columns));
  for (Index i = 0; i < table.rows(); ++i)
    for (Index j = 0; j < table.cols(); ++j) {
      const double value = (*columns[static_cast<std::size_t>(j)])[static_cast<std::size_t>(i)];
      table(i, j) = std::isfinite(value) ? value : 0;
    }
  job.write("spectrum", table, {.columns = std::move(names)});
}

}  // namespace

Command describe_spectrum(const Arguments& seen) {
  Command command{
      .name = "spectrum",
      .summary = "show the eigenvalues of a method and the gaps between them",
      .usage = " INPUT -m METHOD [-n 20] [options]",
      .examples = {{"unroll spectrum roll.npy -m isomap -k 10 -n 8", "how many dimensions?"},
                   {"unroll spectrum data.csv -m pca --scale standardize"},
                   {"unroll spectrum distances.csv -m mds --metric precomputed -o scree.csv"},
                   {"unroll spectrum data.csv -m pca --json | jq .scree.suggested_components"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "A dimension is suggested where a gap is tellable: an eigenvalue at least twice the next among those that "
          "hold 99.9 % of the sum, or, for isomap, the last dimension that halves the residual variance.",
  };
  add_method_flags(command, make_flags<SpectrumOptions>(), seen);
  if (!seen.has("method")) return command;
  const std::string name = find_method(to_snake(seen.text("method"))).name;
  command.examples = {{fmt::format("unroll spectrum data.csv -m {}", name)},
                      {fmt::format("unroll spectrum data.csv -m {} -n 50 -o scree.csv", name)}};
  return command;
}

void run_spectrum(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<SpectrumOptions>("spectrum");
  const Method& method = chosen_method("spectrum", options.method);
  OptionValues values = arguments.values(method_options("spectrum", method), method.name);
  Job job("spectrum", arguments, console, options.output);

  const MethodInput input = read_input(job, arguments.positional(0), method, values);
  const auto& shape = job.report().input;
  const Index most = most_eigenvalues(method, values, shape.rows, shape.cols);
  values.push_back({"n_components", std::min<std::int64_t>(options.n_eigenvalues, most)});
  const Model model = job.compute([&] { return fit(method, input, values, job.run()); });
  job.report().model = model;
  job.warn(without_ranks(model.embedding().warnings));
  const Scree scree = scree_of(model, is_precomputed(values) ? most : std::min(most, shape.cols));
  if (const auto found = std::ssize(scree.values); found < options.n_eigenvalues)
    job.report().notes.push_back(fmt::format("{} eigenvalue{} instead of {}: {}", found, found == 1 ? "" : "s",
                                             options.n_eigenvalues,
                                             found < most ? "the others are zero" : "the data have no more"));
  job.report().results.emplace_back("scree", values_of(scree));
  if (options.output.empty())
    job.print_summary(table_text(scree, console.out(), text_width()) + "\n" + facts_text(scree, model, text_width()));
  else
    write_table_of(job, scree);
  job.finish();
}

}  // namespace unroll::cli
