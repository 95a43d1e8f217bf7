#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/text.h"
#include "doubts.h"
#include "ground_truth.h"
#include "help.h"
#include "method_command.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/report/comparison.h"
#include "unroll/report/page.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kWho = "compare";
constexpr std::string_view kExtension = ".html";

struct CompareFiles {
  std::string output = {};
  bool append = false;
  std::string truth = {};
  std::string labels = {};
  std::int64_t max_drawn = PageSection().max_drawn;

  static OptionFields fields() {
    return {
        field<&CompareFiles::output>("output", any_value(), "A page with all maps, .html; it needs no other file."),
        field<&CompareFiles::append>("append", any_value(), "Add to the page, if there is one already."),
        field<&CompareFiles::truth>("truth", any_value(), "True coordinates, a row per point."),
        field<&CompareFiles::labels>("labels", any_value(), "A whole number per point; or use --label-column."),
        field<&CompareFiles::max_drawn>("max_drawn", between(1, 1e6),
                                        "Points to draw on the page; of more, a random sample."),
    };
  }
};

/// Whether the brief help shows the option, too.
bool is_usual(std::string_view option) {
  return option == "methods" || option == "n_components" || option == "n_neighbors";
}

void check_output(const CompareFiles& files) {
  if (files.output.empty()) {
    if (files.append)
      throw Error(ErrorKind::InvalidOption, fmt::format("{}: --append is about a page; name it with -o", kWho));
  } else if (!files.output.ends_with(kExtension)) {
    throw Error(ErrorKind::InvalidOption,
                fmt::format("{}: -o {} must be a page, a file name that ends with {}", kWho, files.output, kExtension));
  }
}

/// The measures and most methods need all distances, not a sparse matrix.
Table read_points(Job& job, const std::string& path, const ComparisonOptions& options) {
  if (options.metric != Metric::Precomputed) {
    Table table = job.read(path);
    for (const std::string& doubt : doubts_about(table, path, options.scale != Scaling::None)) job.note(doubt);
    return table;
  }
  std::variant<Table, SparseTable> matrix = job.read_matrix(path);
  if (auto* table = std::get_if<Table>(&matrix)) return std::move(*table);
  throw Error(ErrorKind::Unsupported,
              fmt::format("{}: '{}' is a sparse matrix, but maps are compared by all distances between points; use a "
                          "full matrix",
                          kWho, path));
}

/// What is known about the points beside their features.
struct Known {
  Table truth = {};
  Array2<double> numbers = {};  ///< labels that are measurements
  GroundTruth measured = {};
  PageSection drawn = {};

  Known(Job& job, const CompareFiles& files, const std::string& path, Table& points) {
    const Index rows = points.view().rows();
    drawn.row_names = std::move(points.row_names);
    drawn.labels = std::move(points.labels);
    if (!points.label_name.empty()) drawn.label_name = points.label_name;
    if (!files.labels.empty()) {
      drawn.labels = read_labels(job, kWho, files.labels, path, rows);
    } else if (const auto values = measured_labels(drawn.labels)) {
      numbers = Array2<double>(rows, 1);
      std::copy(values->begin(), values->end(), numbers.data());
      drawn.labels.clear();
      drawn.truth = numbers;
      drawn.truth_names = {drawn.label_name};
      job.note(fmt::format("'{}' has numbers rather than classes: it colors the points, and is not told by neighbors",
                           drawn.label_name));
    }
    measured.labels = numbered_words(drawn.labels);
    if (files.truth.empty()) return;
    truth = job.read_beside(files.truth);
    check_same_rows(kWho, path, rows, files.truth, truth.view().rows());
    measured.coordinates = drawn.truth = truth.view();
    drawn.truth_names = truth.column_names;
  }
};

/// A word, quoted for a shell.
std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./,:=+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The command with the flags that determine the page.
std::string command_line(const Arguments& arguments) {
  std::string text = fmt::format("unroll {} {}", kWho, quoted(arguments.positional(0)));
  std::vector<Flag> flags = make_flags<ComparisonOptions>();
  for (const auto& more : {make_flags<CompareFiles>(), input_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  for (const Flag& flag : flags) {
    if (!arguments.has(flag.info.name) || flag.info.name == "append") continue;
    text += fmt::format(" {} {}", flag.shortest(), quoted(arguments.text(flag.info.name)));
  }
  return text;
}

/// An empty list of names would mean all methods, which a user hardly intends.
void check_methods(const Arguments& arguments, const ComparisonOptions& options) {
  if (!arguments.has("methods") || !options.methods.empty()) return;
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.name);
  throw Error(
      ErrorKind::InvalidOption,
      fmt::format("{}: -m '' names no method; name some of {}, or leave -m out to run all", kWho, joined(names)));
}

/// A warning that names the methods that failed, with the error of the first one.
std::vector<Warning> failures(const Comparison& comparison) {
  std::vector<std::string> failed;
  std::string first;
  bool is_alike = true;
  for (const ComparedMethod& method : comparison.methods) {
    if (!method.error) continue;
    const std::string reason = method.error->what(), own = method.name + ": ";
    const std::string bare = reason.starts_with(own) ? reason.substr(own.size()) : reason;
    if (failed.empty()) first = bare;
    is_alike = is_alike && bare == first;
    failed.push_back(method.name);
  }
  if (failed.empty()) return {};
  const std::string_view others = is_alike ? "" : "; the table has the other reasons";
  return {{"method-failed", fmt::format("{} failed: {}{}", joined(failed), first, others), ""}};
}

/// Every method's warnings under its name; equal warnings of several methods appear once.
std::vector<Warning> warnings_by_method(const Comparison& comparison) {
  std::vector<Warning> all;
  std::vector<std::vector<std::string>> names;
  for (const ComparedMethod& method : comparison.methods) {
    for (const Warning& warning : method.warnings) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const Warning& other) {
        return other.code == warning.code && other.message == warning.message;
      });
      if (same == all.end()) {
        all.push_back(warning);
        names.push_back({method.name});
      } else {
        names[static_cast<std::size_t>(same - all.begin())].push_back(method.name);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].message = fmt::format("{}: {}", joined(names[i]), all[i].message);
  return all;
}

void check_any_succeeded(const Comparison& comparison) {
  const bool none = std::all_of(comparison.methods.begin(), comparison.methods.end(),
                                [](const ComparedMethod& method) { return method.error.has_value(); });
  if (none && !comparison.methods.empty()) throw Error(comparison.methods.front().error.value());
}

std::size_t width_of(const Figure& figure) { return std::max<std::size_t>(6, figure.heading.size()); }

std::string table_text(const Comparison& comparison, const Style& style) {
  const std::vector<Figure> all = figures(comparison);
  std::size_t name_width = 6;
  for (const ComparedMethod& method : comparison.methods) name_width = std::max(name_width, method.name.size());
  std::string heading = fmt::format("{:{}}", "method", name_width);
  for (const Figure& figure : all) heading += fmt::format("  {:>{}}", figure.heading, width_of(figure));
  std::string text = style.bold(heading) + "\n";
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    std::string line = fmt::format("{:{}}", method.name, name_width);
    if (method.error) line += fmt::format("  failed: {}", method.error->what());
    for (const Figure& figure : all) {
      if (method.error) break;
      const std::size_t width = width_of(figure);
      const std::string number = fmt::format("{:>{}}", figure.text(i), width);
      line += "  " + (figure.values[i] && figure.values[i] == figure.best() ? style.bold(number) : number);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

void fill_report(Report& report, const ComparisonOptions& options, const Comparison& comparison) {
  report.params = option_values(options);
  report.results.emplace_back("neighborhoods",
                              OptionValues{{"n_neighbors", comparison.n_neighbors},
                                           {"measured_points", std::int64_t{comparison.measured_points}}});
  const std::vector<Figure> all = figures(comparison);
  std::vector<OptionValues> entries;
  for (std::size_t i = 0; i < comparison.methods.size(); ++i) {
    const ComparedMethod& method = comparison.methods[i];
    OptionValues entry{{"name", method.name}, {"title", method.title}};
    for (const Figure& figure : all)
      entry.push_back({figure.name, figure.values[i] ? OptionValue(*figure.values[i]) : OptionValue()});
    OptionValue error;
    if (method.error) error = std::string(method.error->what());
    entry.push_back({"error", std::move(error)});
    entries.push_back(std::move(entry));
  }
  report.lists.emplace_back("methods", std::move(entries));
}

/// What methods say, in flags: on the terminal, in the report and on the page.
void put_in_words(const Console& console, Comparison& comparison) {
  for (ComparedMethod& method : comparison.methods) {
    if (method.error)
      method.error = Error(method.error->kind(), {.who = method.error->who(),
                                                  .problem = console.worded(method.error->problem()),
                                                  .advice = console.worded(method.error->advice()),
                                                  .row = method.error->row()});
    for (Warning& warning : method.warnings) warning = console.worded(warning);
  }
}

}  // namespace

Command describe_compare(const Arguments&) {
  Command command{
      .name = "compare",
      .summary = "run several methods: a table, and a page of their maps",
      .usage = " INPUT [-m A,B,...] [-o PAGE.html] [options]",
      .examples = {{"unroll compare roll.npy", "a table"},
                   {"unroll compare roll.npy -k 12 --truth sheet.csv -o maps.html", "and maps"},
                   {"unroll compare digits.csv --label-column digit -o maps.html --append"},
                   {"unroll compare data.csv -m pca,isomap --json | jq '.methods[].seconds'"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "The page opens by a double click and loads nothing. Points are colored by the true coordinates or the "
          "labels; without both, by the first coordinate of the first map.\n"
          "seconds: of the fit. trust, contin., labels (label_accuracy), dist. r (true_distance_pearson), aff. R2: as "
          "'unroll help quality' says, R2 of the true coordinate that is explained worst. conduct.: weight of the "
          "edges "
          "that leave a cluster, over that of all it has. Rand: agreement of clusters with labels, 1 is perfect.\n"
          "Every method gets those of the options that it has. One that fails does not stop the others; if all do, the "
          "first error is that of the command. Clusters are drawn on the map that keeps neighborhoods best.",
  };
  command.groups.push_back({"Options", make_flags<CompareFiles>()});
  std::vector<OptionInfo> usual, others;
  for (const OptionInfo& info : describe_options<ComparisonOptions>())
    (is_usual(info.name) ? usual : others).push_back(info);
  command.groups.push_back({"Options of the methods", make_flags(usual)});
  command.groups.push_back({"More options of the methods", make_flags(others), false});
  add_job_flags(command);
  return command;
}

void run_compare(const Arguments& arguments, const Console& console) {
  const auto files = arguments.get<CompareFiles>(kWho);
  const auto options = arguments.get<ComparisonOptions>(kWho);
  const std::string path = arguments.positional(0);
  check_output(files);
  check_methods(arguments, options);
  Job job(kWho, arguments, console, files.output, kExtension);
  if (files.append) check_page(files.output);

  Table points = read_points(job, path, options);
  Known known(job, files, path, points);
  Comparison comparison = job.compute([&] { return compare(points.view(), known.measured, options, job.run()); });
  put_in_words(console, comparison);
  check_any_succeeded(comparison);
  fill_report(job.report(), options, comparison);
  job.report().notes = comparison.notes;
  // Printed before the warnings, which may refer to it and which --strict turns into an error.
  job.print_summary(table_text(comparison, console.out()));
  job.warn(warnings_by_method(comparison));
  job.warn(failures(comparison));
  if (!files.output.empty()) {
    known.drawn.title = path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
    known.drawn.command = command_line(arguments);
    known.drawn.max_drawn = files.max_drawn;
    job.write_with("page", comparison.n_points, std::ssize(comparison.methods),
                   [&](const std::string& page) { write_page(page, comparison, known.drawn, files.append); });
  }
  job.finish();
}

}  // namespace unroll::cli
