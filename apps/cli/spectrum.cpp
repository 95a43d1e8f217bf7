#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "component_lists.h"
#include "help.h"
#include "method_command.h"
#include "scree.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/methods/lle.h"
#include "unroll/methods/mvu.h"
#include "unroll/spectral/recipe_table.h"

namespace unroll::cli {
namespace {

struct SpectrumOptions {
  std::string method = {};
  std::int64_t n_eigenvalues = 20;
  bool all = false;
  std::string output = {};

  static OptionFields fields() {
    return {
        field<&SpectrumOptions::method>("method", any_value(), "Whose spectrum; 'unroll methods' lists them."),
        field<&SpectrumOptions::n_eigenvalues>(
            "n_eigenvalues", at_least(1),
            "How many, from the end that it reads; of mlle, hlle and ltsa no more than -d."),
        field<&SpectrumOptions::all>(
            "all", any_value(),
            "Show the trivial eigenvalue, too, which the method skips, and those that are zero but for rounding."),
        field<&SpectrumOptions::output>(
            "output", any_value(),
            "The table alone: .csv, .tsv, .txt or .npy[.gz]; a ratio of 0 says that there is none."),
    };
  }
};

constexpr std::string_view kCount = "n_components";

/// The value of an option, given or by default; none if there is no such option or it is not a whole number.
std::optional<std::int64_t> whole_value(const Method& method, const OptionValues& options, std::string_view name) {
  const OptionValue* found = nullptr;
  for (const OptionInfo& info : method.options)
    if (info.name == name) found = &info.default_value;
  for (const NamedValue& option : options)
    if (option.name == name) found = &option.value;
  const auto* number = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// The largest number of eigenvalues, and the reason for the limit.
struct Reach {
  Index most = 0;
  std::string reason = {};
};

/// Whether an optimised map has eigenvalues: those of the kernel matrix that it learns.
bool has_kernel(const Method& method) { return method.name == MvuOptions::method_name; }

/// A method of the table decomposes a matrix of points, whose constant eigenvector is known; other methods decompose a
/// matrix of features. If the maps are not nested, the dimension is part of the operator: the user chooses it, and
/// there is one pair per coordinate.
Reach reach_of(const Method& method, const OptionValues& options, Index rows, Index cols, bool with_trivial) {
  if (has_kernel(method)) return {std::max<Index>(rows - 1, 1), "the kernel matrix has no larger rank"};
  if (!method.properties.nested)
    return {whole_value(method, options, kCount).value(),
            fmt::format("{} has one per coordinate, -d, which is also the dimension that it presumes", method.name)};
  const auto row = std::find_if(recipe_table().begin(), recipe_table().end(),
                                [&](const RecipeWords& words) { return words.method == method.name; });
  if (row == recipe_table().end()) return {std::min(rows, cols), "the data have no more"};
  const Index points = std::min<Index>(rows, whole_value(method, options, "n_landmarks").value_or(rows));
  Reach reach{std::max<Index>(points - 1, 1),
              with_trivial
                  ? fmt::format("{} points have no more", points)
                  : fmt::format("{} points have {}, and the trivial one is skipped: --all shows it", points, points)};
  if (method.name == LleOptions::method_name && !is_precomputed(options) && cols < reach.most)
    reach = {cols, fmt::format("{} has no more coordinates than there are features", method.name)};
  return reach;
}

/// Fits with as many pairs as asked for. Of nested maps n_eigenvalues is the method's n_components.
Model fit_pairs(const Method& method, const MethodInput& input, OptionValues options, std::int64_t count,
                const Run& run) {
  if (!method.properties.nested) return fit(method, input, options, run);
  options.push_back({std::string(kCount), count});
  return fit(method, input, options, run);
}

/// The warnings of a fit without those about coordinates, such as that they are zeros or repeat others: they do not
/// concern eigenvalues. Adds a warning if there are as many coordinates as features: every neighborhood then fits
/// without an error.
std::vector<Warning> warnings_of(const Model& model, const Method& method, bool has_features) {
  std::vector<Warning> warnings = model.embedding().warnings;
  const Attributes& told = model.embedding().attributes;
  const bool
      is_compared =  // with the map of half of the landmarks, which have not so many eigenvalues as are shown here
      std::any_of(told.begin(), told.end(), [](const auto& value) { return value.first == "landmark_error"; });
  std::erase_if(warnings, [&](const Warning& warning) {
    return warning.code == "rank-deficient" || warning.code == "repeated-direction" ||
           (warning.code == "few-landmarks" && !is_compared);
  });
  if (!method.properties.nested && !has_kernel(method) && has_features &&
      model.coordinates().cols() >= model.n_features())
    warnings.push_back({"all-rounding",
                        fmt::format("with as many coordinates as features, {}, {} describes every neighborhood without "
                                    "an error: its eigenvalues are zero but for rounding",
                                    model.n_features(), method.name),
                        "use a smaller n_components"});
  return warnings;
}

/// Keeps at most as many values as asked for.
void cut(Scree& scree, std::int64_t count) {
  const auto shown = static_cast<std::size_t>(count);
  for (auto* column :
       {&scree.values, &scree.residuals, &scree.ratio, &scree.share, &scree.cumulative, &scree.residual_variance})
    column->resize(std::min(column->size(), shown));
  if (scree.trivial >= shown) scree.trivial.reset();
}

std::string cell(double value, const char* format) {
  return std::isnan(value) ? "" : fmt::format(fmt::runtime(format), value);
}

/// A bar of at most `width` characters, proportional to the value.
std::string bar(double value, double largest, std::size_t width) {
  if (value <= 0 || largest <= 0) return "";
  const auto length = static_cast<std::size_t>(std::round(value / largest * static_cast<double>(width)));
  return length == 0 ? "." : std::string(length, '#');
}

std::string table_text(const Scree& scree, const Style& style, std::size_t width) {
  const bool has_left = !scree.residual_variance.empty(), has_share = !scree.share.empty();
  const auto line = [&](std::string_view number, std::string_view value, std::string_view share,
                        std::string_view cumulative, std::string_view ratio, std::string_view residual,
                        std::string_view left) {
    return fmt::format("{:>3}  {:>12}  ", number, value) +
           (has_share ? fmt::format("{:>8}  {:>8}  ", share, cumulative) : "") +
           fmt::format("{:>8}  {:>8}  ", ratio, residual) + (has_left ? fmt::format("{:>9}  ", left) : "");
  };
  const std::string header = line("", "EIGENVALUE", "SHARE", "SUM", "RATIO", "RESIDUAL", "RES. VAR.");
  const std::size_t bar_width = std::max<std::size_t>(width, header.size() + 10) - header.size();
  const double largest = *std::max_element(scree.values.begin(), scree.values.end());
  std::string text = style.bold(header.substr(0, header.find_last_not_of(' ') + 1)) + "\n";
  for (std::size_t i = 0; i < scree.values.size(); ++i) {
    const std::size_t number = scree.trivial && *scree.trivial <= i ? i : i + 1;  // the trivial one has none
    text += line(scree.trivial == i ? "" : fmt::format("{}", number), fmt::format("{:.6g}", scree.values[i]),
                 has_share ? cell(100 * scree.share[i], "{:.2f} %") : "",
                 has_share ? cell(100 * scree.cumulative[i], "{:.2f} %") : "", cell(scree.ratio[i], "{:.3g}"),
                 fmt::format("{:.0e}", scree.residuals[i]),
                 i < scree.residual_variance.size() ? cell(scree.residual_variance[i], "{:.3g}") : "");
    text += scree.trivial == i ? "trivial" : bar(scree.values[i], largest, bar_width);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string facts_text(const Scree& scree, const Model& model, std::size_t width) {
  const Spectrum& spectrum = model.embedding().spectrum;
  std::vector<Definition> facts = component_lines(model.embedding());
  facts.insert(facts.end(), {{"suggested", scree.suggested ? fmt::format("{} dimension{}: {}", *scree.suggested,
                                                                         *scree.suggested == 1 ? "" : "s", scree.reason)
                                                           : fmt::format("none: {}", scree.reason)},
                             {"solver", spectrum.iterations > 0
                                            ? fmt::format("{}, iterations: {}", spectrum.solver, spectrum.iterations)
                                            : spectrum.solver}});
  if (!scree.share.empty())
    facts.emplace_back("share",
                       fmt::format("of {}; sum: of all so far",
                                   scree.of_total ? "the total variance" : "the sum of the positive ones shown"));
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
  if (!scree.share.empty()) {
    values.push_back({scree.of_total ? "share_of_total" : "share_of_shown", scree.share});
    values.push_back({"cumulative_share", scree.cumulative});
  }
  if (!scree.residual_variance.empty()) values.push_back({"residual_variance", scree.residual_variance});
  if (scree.trivial) values.push_back({"trivial", static_cast<std::int64_t>(*scree.trivial)});
  values.push_back({"suggested_components", suggested});
  values.push_back({"reason", scree.reason});
  return values;
}

void write_table_of(Job& job, const Scree& scree) {
  std::vector<std::string> names{"eigenvalue", "ratio", "residual"};
  std::vector<const std::vector<double>*> columns{&scree.values, &scree.ratio, &scree.residuals};
  if (!scree.share.empty()) {
    names.emplace_back("share"), columns.push_back(&scree.share);
    names.emplace_back("cumulative"), columns.push_back(&scree.cumulative);
  }
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
          "hold 99.9 % of the sum, or, for isomap, the last dimension that halves the residual variance. None is for "
          "methods that read the small end.\n"
          "mlle, hlle and ltsa presume a dimension, -d: another one makes another operator.",
  };
  add_method_flags(command, make_flags<SpectrumOptions>(), seen);
  if (!seen.has("method")) return command;
  const Method& method = find_method(seen.text("method"));
  command.examples = {{fmt::format("unroll spectrum data.csv -m {}", method.name)},
                      {fmt::format("unroll spectrum data.csv -m {} {} -o scree.csv", method.name,
                                   method.properties.nested ? "-n 50" : "-d 3")}};
  return command;
}

void run_spectrum(const Arguments& arguments, const Console& console) {
  const auto options = arguments.get<SpectrumOptions>("spectrum");
  const Method& method = chosen_method(options.method);
  if (method.is_optimized && !has_kernel(method))
    throw Error(ErrorKind::Unsupported, {.who = method.name,
                                         .problem = "an optimised map has no eigenvalues",
                                         .advice = "use a spectral method, such as laplacian_eigenmaps",
                                         .option = "method"});
  const OptionValues values = arguments.values(method_options("spectrum", method), method.name);
  Job job("spectrum", arguments, console, options.output);

  const MethodInput input = read_input(job, arguments.positional(0), method, values);
  const auto& shape = job.report().input;
  const bool has_features = !is_precomputed(values);
  const Reach reach = reach_of(method, values, shape.rows, shape.cols, options.all);
  const std::optional<TrivialEigenvalue> trivial = options.all ? trivial_eigenvalue(method.name) : std::nullopt;
  const std::int64_t wanted =
      std::max<std::int64_t>(1, options.n_eigenvalues - (trivial && trivial->comes_first ? 1 : 0));
  const Model model = job.compute(
      [&] { return fit_pairs(method, input, values, std::min<std::int64_t>(wanted, reach.most), job.run()); });
  job.report().model = model;
  job.warn(warnings_of(model, method, has_features));
  Scree scree = scree_of(model, has_features ? std::min(reach.most, shape.cols) : reach.most, options.all);
  const bool has_all = std::ssize(scree.values) >= reach.most;
  if (trivial) add_trivial(*trivial, scree);
  cut(scree, options.n_eigenvalues);
  if (const auto found = std::ssize(scree.values); found < options.n_eigenvalues)
    job.report().notes.push_back(fmt::format("{} eigenvalue{} instead of {}: {}", found, found == 1 ? "" : "s",
                                             options.n_eigenvalues, has_all ? reach.reason : "the others are zero"));
  job.report().results.emplace_back("scree", values_of(scree));
  if (!model.embedding().component_spectra.empty())
    job.report().lists.emplace_back("component_spectra", component_lists(model.embedding()));
  if (options.output.empty())
    job.print_summary(table_text(scree, console.out(), text_width()) + "\n" + facts_text(scree, model, text_width()));
  else
    write_table_of(job, scree);
  job.finish();
}

}  // namespace unroll::cli
