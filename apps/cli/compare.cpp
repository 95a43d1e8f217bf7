#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "coloring.h"
#include "comparison_table.h"
#include "core/text.h"
#include "doubts.h"
#include "ground_truth.h"
#include "help.h"
#include "image_shape.h"
#include "method_command.h"
#include "process.h"
#include "shell.h"
#include "unroll/advice/page_advice.h"
#include "unroll/core/error.h"
#include "unroll/core/option_field.h"
#include "unroll/report/comparison.h"
#include "unroll/report/page.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kCompare = "compare";
constexpr std::string_view kExtension = ".html";
constexpr std::int64_t kShownEigenvalues = 10;  // on a page; they take a fit of their own
constexpr Index kMostForSpectra = 5000;

struct CompareFiles {
  std::string output = {};
  bool append = false;
  std::string truth = {};
  std::string labels = {};
  std::string color_by = {};
  std::int64_t max_drawn = PageSection().max_drawn;
  std::string images = "auto";

  static OptionFields fields() {
    return {
        field<&CompareFiles::output>("output", any_value(), "A page with all maps, .html; it needs no other file."),
        field<&CompareFiles::append>("append", any_value(), "Add to the page, if there is one already."),
        field<&CompareFiles::truth>("truth", any_value(), "True coordinates, a row per point."),
        field<&CompareFiles::labels>("labels", any_value(), "A label per point; or use --label-column."),
        field<&CompareFiles::color_by>("color_by", any_value(), "Colors of the page, by numbers or words."),
        field<&CompareFiles::max_drawn>("max_drawn", between(1, 1e6),
                                        "Points to draw on the page; of more, a random sample."),
        field<&CompareFiles::images>("images", any_value(),
                                     "The rows are grey images, ROWSxCOLUMNS, which the page shows; auto: if they look "
                                     "like it; none."),
    };
  }
};

/// Whether the brief help shows the option, too.
bool is_usual_for_compare(std::string_view option) {
  return option == "methods" || option == "n_components" || option == "n_neighbors";
}

void check_output(const CompareFiles& files) {
  if (files.output.empty()) {
    if (files.append)
      throw Error(ErrorKind::InvalidOption,
                  {.problem = "--append is about a page", .advice = "name it with -o", .option = "append"});
  } else if (!files.output.ends_with(kExtension)) {
    throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("-o {} must be a page, a file name that ends with {}",
                                                                  files.output, kExtension),
                                           .option = "output"});
  }
}

/// The measures and most methods need all distances, not a sparse matrix.
Table read_points(Job& job, const std::string& path, const ComparisonOptions& options, const CompareFiles& files) {
  if (options.metric != Metric::Precomputed) {
    Table table = job.read(path, {.annotation = is_color_file(files.color_by) ? "" : files.color_by});
    for (const std::string& doubt : doubts_about(table, path, options.scale != Scaling::None)) job.note(doubt);
    return table;
  }
  std::variant<Table, SparseTable> matrix = job.read_matrix(path);
  if (auto* table = std::get_if<Table>(&matrix)) return std::move(*table);
  throw Error(ErrorKind::Unsupported,
              fmt::format("'{}' is a sparse matrix, but maps are compared by all distances between points", path),
              "use a full matrix");
}

/// What is known about the points beside their features.
struct Known {
  Table truth = {};
  Array2<double> numbers = {};  ///< labels that are measurements
  Array2<double> colors = {};   ///< numbers of --color-by
  GroundTruth measured = {};
  PageSection drawn = {};

  Known(Job& job, const CompareFiles& files, const std::string& path, Table& points) {
    const Index rows = points.view().rows();
    drawn.title = path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
    drawn.max_drawn = files.max_drawn;
    drawn.row_names = std::move(points.row_names);
    drawn.labels = std::move(points.labels);
    if (!points.label_name.empty()) drawn.label_name = points.label_name;
    if (!files.labels.empty()) {
      drawn.labels = read_labels(job, kCompare, files.labels, path, rows);
    } else if (const auto values = measured_labels(drawn.labels)) {
      numbers = Array2<double>(rows, 1);
      std::copy(values->begin(), values->end(), numbers.data());
      drawn.labels.clear();
      drawn.truth = numbers;
      drawn.truth_names = {drawn.label_name};
      job.note(fmt::format("'{}' has numbers rather than classes: it colors the points, and is not told by neighbors",
                           drawn.label_name));
    }
    note_no_labels(job, drawn.labels);
    measured.labels = numbered_words(drawn.labels);
    if (!files.truth.empty()) {
      truth = job.read_beside(files.truth);
      check_same_rows(kCompare, path, rows, files.truth, truth.view().rows());
      measured.coordinates = drawn.truth = truth.view();
      drawn.truth_names = truth.column_names;
    }
    if (!files.color_by.empty()) color(read_coloring(job, files.color_by, path, points));
  }

  /// The page is colored by this instead of labels and truth, which are still measured.
  void color(const Coloring& by) {
    drawn.truth = PointsView();
    drawn.truth_names.clear();
    drawn.labels = by.classes;
    drawn.label_name = by.name;
    if (by.numbers.empty()) return;
    colors = Array2<double>(std::ssize(by.numbers), 1);
    std::copy(by.numbers.begin(), by.numbers.end(), colors.data());
    drawn.truth = colors;
    drawn.truth_names = {by.name};
  }
};

/// What the page shows of the features: the points if they can be seen, colors, and images.
void show_features(const Table& points, const std::string& images, PageSection& drawn) {
  drawn.points = points.view();
  drawn.feature_names = points.column_names;
  drawn.image_rows = image_rows(images, points);
}

/// The command with the flags that determine the page.
std::string command_line(const Arguments& arguments) {
  std::string text = fmt::format("unroll {} {}", kCompare, shell_quoted(arguments.positional(0)));
  std::vector<Flag> flags = make_flags<ComparisonOptions>();
  for (const auto& more : {make_flags<CompareFiles>(), input_flags()})
    flags.insert(flags.end(), more.begin(), more.end());
  for (const Flag& flag : flags) {
    if (!arguments.has(flag.info.name) || flag.info.name == "append") continue;
    text += shell_flag(flag, arguments.text(flag.info.name));
  }
  return text;
}

/// An empty list of names would mean all methods, which a user hardly intends.
void check_methods(const Arguments& arguments, const ComparisonOptions& options) {
  if (!arguments.has("methods") || !options.methods.empty()) return;
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (method.kind != MethodKind::Labels) names.push_back(method.name);
  throw Error(ErrorKind::InvalidOption,
              {.problem = "-m '' names no method",
               .advice = fmt::format("name some of {}, or leave -m out to run all", joined(names)),
               .option = "methods"});
}

/// Every method that uses neighbors will say the same: says it once, before the work of the others.
void note_neighbors(Job& job, const ComparisonOptions& options, Index rows) {
  for (const std::int64_t k : options.n_neighbors)
    if (k >= rows)
      job.note(
          fmt::format("n_neighbors={} is not less than the number of points, {}: all methods that use neighbors will "
                      "fail",
                      k, rows));
}

void check_any_succeeded(const Comparison& comparison) {
  const bool none = std::all_of(comparison.methods.begin(), comparison.methods.end(),
                                [](const ComparedMethod& method) { return method.error.has_value(); });
  if (none && !comparison.methods.empty()) throw Error(comparison.methods.front().error.value());
}

/// Runs the methods, and measures curves for a page; on a terminal, rows are printed as they come. Returns whether a
/// signal has asked to stop after some were finished.
bool run_all(Comparer& comparer, const ComparisonTable& table, bool shows_rows, bool has_page, const Console& console,
             Job& job) {
  try {
    while (job.compute([&] { return comparer.next(); })) {
      if (!shows_rows) continue;
      Comparison one{.n_points = comparer.result().n_points, .methods = {comparer.result().methods.back()}};
      put_in_words(console, one.methods.front());
      if (comparer.result().methods.size() == 1) job.print_part(table.heading());
      job.print_part(table.row(one, 0));
    }
    if (has_page) job.compute([&] { comparer.measure_curves(); });
    return job.run().cancel->load();  // too late to stop anything
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Cancelled || comparer.result().methods.empty()) throw;
    return true;
  }
}

/// Advice for the page, which is written without it where memory is short. Returns whether a signal has asked to stop.
bool advise_on(Job& job, PointsView points, const Comparison& comparison, const ComparisonOptions& options,
               PageSection& drawn) {
  try {
    job.compute([&] { add_advice(drawn, points, comparison, options, job.run()); });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) return true;
    job.note(fmt::format("the page has no advice: {}", error.what()));
  }
  return false;
}

}  // namespace

Command describe_compare(const Arguments&) {
  Command command{
      .name = "compare",
      .summary = "run several methods: a table, and a page of their maps",
      .usage = " INPUT [-m A,B,...] [-o PAGE.html] [options]",
      .examples = {{"unroll compare roll.npy", "a table"},
                   {"unroll compare roll.npy -k 12 --truth sheet.csv -o maps.html", "and maps"},
                   {"unroll compare roll.npy -m pca,kernel_pca:kernel=poly,degree=3,isomap -k 5,10"},
                   {"unroll compare digits.csv --label-column digit -o maps.html --append"}},
      .arguments = {{"INPUT", "A table, samples in rows; - is standard input."}},
      .notes =
          "The page opens by a double click and loads nothing. Points are colored by the true coordinates or the "
          "labels; without both, by the first coordinate of the first map.\n"
          "-m takes options of a method after a colon, NAME=VALUE, with commas between them: kernel_pca:kernel=poly,"
          "degree=3. What has no '=' begins the next method. k, d and seed are short names. A method may be named more "
          "than once. With several -k, methods that use neighbors are run for each, unless they have their own; "
          "without -k they use 10, or what they need.\n"
          "seconds: of the fit. trust, contin., labels (label_accuracy), dist. r (true_distance_pearson), aff. R2: as "
          "'unroll help quality' says, R2 of the true coordinate that is explained worst. conduct.: weight of the "
          "edges that leave a cluster, over that of all it has. Rand: agreement of clusters with labels, 1 is perfect. "
          "The last rows are what a random map would get, and the labels' accuracy among the data themselves.\n"
          "Every method gets those of the options that it has. One that fails does not stop the others; if all do, the "
          "first error is that of the command. Ctrl-C keeps what is finished: the table, the verdict and the page have "
          "it, and the exit code is 130. Clusters are drawn on the map that keeps neighborhoods best.",
  };
  std::vector<OptionInfo> files = describe_options<CompareFiles>(), usual, others{files.back()};  // images: no room
  files.pop_back();
  command.groups.push_back({"Options", make_flags(files)});
  for (const OptionInfo& info : describe_options<ComparisonOptions>())
    (is_usual_for_compare(info.name) ? usual : others).push_back(info);
  command.groups.push_back({"Options of the methods", make_flags(usual)});
  command.groups.push_back({"More options", make_flags(others), false});
  add_job_flags(command);
  return command;
}

void run_compare(const Arguments& arguments, const Console& console) {
  const auto files = arguments.get<CompareFiles>(kCompare);
  auto options = arguments.get<ComparisonOptions>(kCompare);
  const std::string path = arguments.positional(0);
  check_output(files);
  check_methods(arguments, options);
  check_image_shape(files.images);
  Job job(kCompare, arguments, console, files.output, kExtension);
  if (files.append) check_page(files.output);
  keep_freed_memory();

  Table points = read_points(job, path, options, files);
  note_neighbors(job, options, points.view().rows());
  Known known(job, files, path, points);
  if (options.metric != Metric::Precomputed) show_features(points, files.images, known.drawn);
  if (!files.output.empty() && !options.n_eigenvalues && points.view().rows() <= kMostForSpectra)
    options.n_eigenvalues = kShownEigenvalues;
  Comparer comparer(points.view(), known.measured, options, job.run());
  ComparisonTable table(comparer, known.measured, console.out());
  const bool shows_rows = isatty(STDOUT_FILENO) == 1;
  bool is_stopped = run_all(comparer, table, shows_rows, !files.output.empty(), console, job);
  Comparison comparison = comparer.take();
  for (ComparedMethod& method : comparison.methods) put_in_words(console, method);
  if (!is_stopped) check_any_succeeded(comparison);
  if (!is_stopped && !files.output.empty())
    is_stopped = advise_on(job, points.view(), comparison, options, known.drawn);
  if (is_stopped) job.keep_what_is_finished();
  fill_report(job.report(), options, comparison);
  job.report().notes = comparison.notes;
  // Printed before the warnings, which may refer to it and which --strict turns into an error.
  if (!shows_rows) table.drop_empty(comparison);
  job.print_summary((shows_rows ? table.baselines(comparison) : table.text(comparison)) +
                    verdict_text(comparison, text_width()));
  job.warn(warnings_by_method(comparison));
  job.warn(failures(comparison));
  if (is_stopped)
    job.note(fmt::format("stopped on request: {} of {} methods are finished{}", comparison.methods.size(),
                         comparison.planned, files.output.empty() ? "" : "; the page has these"));
  if (!files.output.empty()) {
    known.drawn.command = command_line(arguments);
    job.write_with("page", comparison.n_points, std::ssize(comparison.methods),
                   [&](const std::string& page) { write_page(page, comparison, known.drawn, files.append); });
  }
  job.finish();
  if (is_stopped) throw Error(ErrorKind::Cancelled, "stopped on request");
}

}  // namespace unroll::cli
