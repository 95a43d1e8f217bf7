#include "job.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "byte_size.h"
#include "core/parallel.h"
#include "core/text.h"
#include "json_text.h"
#include "signals.h"
#include "unroll/core/error.h"
#include "unroll/registry.h"
#include "writable.h"

namespace unroll::cli {
namespace {

RunOptions run_options(const Arguments& arguments, std::string_view verb) {
  auto options = arguments.get<RunOptions>(verb);
  const char* threads = std::getenv("UNROLL_THREADS");
  if (!arguments.has("threads") && threads != nullptr && *threads != '\0') {
    OptionInfo info = describe_options<RunOptions>().front();
    const std::string option = info.name;
    info.name = "UNROLL_THREADS";  // in messages
    options.threads = make_options<RunOptions>({{option, parse_option(info, threads, verb)}}, verb).threads;
  }
  if (options.quiet && !arguments.has("progress")) options.progress = ProgressStyle::None;
  return options;
}

int thread_limit(const RunOptions& options) {
  constexpr std::int64_t kMostThreads = 1 << 16;  // more than any machine has; the library has its own limit
  return static_cast<int>(std::min(options.threads.value_or(0), kMostThreads));
}

}  // namespace

std::vector<std::string> numbered(std::string_view prefix, Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

TableNames names_beside(const Table& table) {
  TableNames names{.rows = table.row_names, .labels = table.labels, .more_labels = table.more_labels};
  if (!table.label_name.empty()) names.label_header = table.label_name;
  if (!table.id_name.empty()) names.row_header = table.id_name;
  for (std::size_t i = 0; i < names.more_labels.size(); ++i)
    if (std::string& name = names.more_labels[i].name; name.empty()) name = fmt::format("label{}", i + 2);
  return names;
}

FileColumn::FileColumn(const std::string& text) : file(text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return;
  if (!std::filesystem::exists(text.substr(0, colon), ignored)) return;
  file = text.substr(0, colon);
  column = text.substr(colon + 1);
}

Job::Job(std::string_view verb, const Arguments& arguments, const Console& console, const std::string& output,
         std::string_view own_extension)
    : console_(console),
      options_(run_options(arguments, verb)),
      input_(arguments.get<InputOptions>(verb)),
      own_extension_(own_extension),
      writes_table_(own_extension.empty() || !output.ends_with(own_extension)),
      output_(output_path(output)),
      display_(options_.progress) {
  run_.threads = thread_limit(options_);
  run_.cancel = &let_work_stop();
  if (!options_.memory_budget.empty()) run_.memory_budget = parse_byte_size(options_.memory_budget, "memory_budget");
  if (!display_.is_silent()) run_.progress = [this](const Progress& progress) { return answer(progress); };
  report_.command = verb;
  report_.threads = thread_count(run_);
}

Job::~Job() = default;

Answer Job::answer(const Progress& progress) {
  const bool has_map = progress.frame != nullptr;
  const bool finishes = layouts_finish_ && let_work_finish(has_map);  // before the user can see that there is a map
  display_.show(progress);
  if (has_map && watch_frame_) watch_frame_(progress);
  return finishes ? Answer::FinishHere : Answer::Continue;
}

void Job::let_layouts_finish() {
  layouts_finish_ = true;
  run_.progress = [this](const Progress& progress) { return answer(progress); };
}

void Job::watch_frames(std::function<void(const Progress&)> watch) {
  watch_frame_ = std::move(watch);
  run_.progress = [this](const Progress& progress) { return answer(progress); };
}

std::string Job::output_path(const std::string& path) const {
  if (options_.json && path == "-")
    throw Error(ErrorKind::InvalidOption, {.problem = "--json and -o - would both write to standard output",
                                           .advice = "give -o a file",
                                           .option = "output"});
  if (path.empty()) return options_.json ? "" : "-";
  if (writes_table_) check_table_name(path);
  check_writable(path);
  return path;
}

void Job::check_table_name(const std::string& path) const {
  try {
    table_format(path);
  } catch (const Error& error) {
    constexpr std::array<std::string_view, 6> kPictures{".png", ".svg", ".html", ".pdf", ".jpg", ".jpeg"};
    const bool is_picture =
        std::any_of(kPictures.begin(), kPictures.end(), [&](std::string_view end) { return path.ends_with(end); });
    if (is_picture && own_extension_.empty())
      throw error
          .with_advice(fmt::format(
              "{}; for a picture: unroll {}", error.advice(),
              path.ends_with(".html") ? "compare INPUT -m METHOD -o map.html" : "embed INPUT -m METHOD --plot map.png"))
          .with_option("output");
    if (own_extension_.empty()) throw;
    throw error.with_advice(fmt::format("{}, or {}", error.advice(), own_extension_)).with_option("output");
  }
}

SparseTable Job::read_sparse(const std::string& path) {
  auto matrix = read_matrix(path);
  if (auto* sparse = std::get_if<SparseTable>(&matrix)) return std::move(*sparse);
  throw Error(ErrorKind::InvalidOption, {.problem = fmt::format("--sparse features, but '{}' is a dense table", path),
                                         .advice = "leave --sparse out",
                                         .option = "sparse"});
}

Table Job::read(const std::string& path, const Reading& reading) {
  if (keeps_sparse())
    throw Error(
        ErrorKind::Unsupported,
        {.problem = fmt::format(
             "--sparse features is for embed, cluster, spectrum, transform and neighbors, not for {}", report_.command),
         .advice = "leave it out: a sparse file is then made dense",
         .option = "sparse"});
  std::optional<Timer> timer(report_.seconds.read);
  run_.report({.stage = "reading"});
  ReadOptions options = input_.read_options();
  options.keep_missing = reading.keep_missing;
  options.trained = reading.trained;
  options.annotation = reading.annotation;
  Table table = read_table(path, options, run_);
  timer.reset();
  report_input(path, table);
  return table;
}

std::variant<Table, SparseTable> Job::read_matrix(const std::string& path) {
  std::optional<Timer> timer(report_.seconds.read);
  run_.report({.stage = "reading"});
  auto matrix = unroll::read_matrix(path, input_.read_options(), run_);
  timer.reset();
  if (const auto* sparse = std::get_if<SparseTable>(&matrix)) {
    report_.input = {path, sparse->format, sparse->values.rows, sparse->values.cols, false};
    warn(sparse->warnings);
  } else {
    report_input(path, std::get<Table>(matrix));
  }
  return matrix;
}

void Job::report_input(const std::string& path, const Table& table) {
  const PointsView view = table.view();
  report_.input = {path, table.format, view.rows(), view.cols(), view.is_float()};
  warn(table.warnings);
  for (const std::string& text : table.notes) note(fmt::format("{}: {}", path, text));
  if (!table.labels.empty() && writes_table_ && !output_.empty() && table_format(output_) == TableFormat::Npy)
    warn({{"labels-not-written", fmt::format("'{}' will hold no labels: npy files are numbers alone", output_),
           "write .csv to keep them beside the coordinates"}});
}

Table Job::read_beside(const std::string& path, const ReadOptions& options) {
  const Timer timer(report_.seconds.read);
  run_.report({.stage = "reading"});
  Table table = read_table(path, options, run_);
  warn(table.warnings);
  return table;
}

std::vector<std::string> Job::read_words(const std::string& path, Index rows) {
  const Timer timer(report_.seconds.read);
  run_.report({.stage = "reading"});
  const FileColumn from(path);
  std::optional<Table> table;
  try {
    table = read_table(from.file, {.columns = from.column}, run_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::InvalidData) throw;
    if (from.column.empty()) return unroll::read_words(from.file, rows, run_);
    return read_table(from.file, {.label_column = from.column}, run_).labels;
  }
  const PointsView values = table->view();
  // A table has no empty lines, but among labels they are rows of which nothing is known.
  if (values.cols() == 1 && values.rows() < rows && from.column.empty() && table->format.starts_with("csv"))
    return unroll::read_words(from.file, rows, run_);
  if (values.cols() != 1)
    throw Error(ErrorKind::InvalidData,
                fmt::format("'{}' has {} columns{}", path, values.cols(),
                            table->column_names.empty() ? "" : fmt::format(": {}", joined(table->column_names))),
                fmt::format("give one column, such as {}:{}", path,
                            table->column_names.empty() ? "1" : table->column_names.front()));
  std::vector<std::string> words;
  for (Index i = 0; i < values.rows(); ++i) {
    const double value = values.visit([&](auto x) { return static_cast<double>(x(i, 0)); });
    words.push_back(to_text(OptionValue(value)));
  }
  return words;
}

Model Job::load(const std::string& path) {
  const Timer timer(report_.seconds.read);
  run_.report({.stage = "loading the model"});
  report_.model_path = path;
  report_.model = load_model(path);
  return *report_.model;
}

void Job::warn(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return;
  display_.erase();
  for (const auto& warning : warnings)
    if (!options_.quiet || options_.strict) console_.warn(warning);
  for (const auto& warning : warnings) report_.warnings.push_back(console_.worded(warning));
  if (options_.strict)
    throw Error(ErrorKind::InvalidData,
                {.problem = fmt::format("--strict makes an error of warning[{}]", warnings.front().code),
                 .advice = "nothing is written",
                 .option = "strict"});
}

void Job::note(const std::string& text) {
  display_.erase();
  const std::string worded = console_.worded(text);
  if (!options_.quiet) console_.note(worded);
  report_.remarks.push_back(worded);
}

void Job::begin_writing(std::string_view stage) {
  let_signals_end();  // before the flag is read for the last time, so that no signal is lost
  run_.report({.stage = stage});
  display_.erase();
}

void Job::save(const std::string& path, const Model& model) {
  begin_writing("saving the model");
  const Timer timer(report_.seconds.write);
  model.save(path);
  report_.outputs.push_back({.content = "model", .path = path});
}

void Job::write(std::string_view content, PointsView values, std::string_view column_prefix, const Table& table) {
  TableNames names = names_beside(table);
  names.columns = numbered(column_prefix, values.cols());
  write(content, values, names);
}

void Job::write_beside(std::string_view content, const std::string& path, PointsView values, const TableNames& names) {
  begin_writing("writing");
  const Timer timer(report_.seconds.write);
  write_table(path, values, names);
  report_.outputs.push_back({std::string(content), path, values.rows(), values.cols()});
}

void Job::write_beside_with(std::string_view content, const std::string& path, const std::function<void()>& write) {
  begin_writing("writing");
  const Timer timer(report_.seconds.write);
  write();
  report_.outputs.push_back({.content = std::string(content), .path = path});
}

void Job::write(std::string_view content, PointsView values, const TableNames& names) {
  write_with(content, values.rows(), values.cols(), [&](const std::string& path) { write_table(path, values, names); });
}

void Job::write_with(std::string_view content, Index rows, Index cols,
                     const std::function<void(const std::string& path)>& write) {
  if (output_.empty()) return;
  begin_writing("writing");
  const Timer timer(report_.seconds.write);
  write(output_);
  report_.outputs.push_back({std::string(content), output_, rows, cols});
}

void Job::print_summary(std::string_view text) {
  if (options_.json) return;
  begin_writing("writing");
  print(text);
}

void Job::print_part(std::string_view text) {
  if (options_.json) return;
  display_.erase();
  print(text);
}

void Job::keep_what_is_finished() {
  let_signals_end();
  run_.cancel = nullptr;
}

void Job::finish() {
  display_.erase();
  total_.reset();
  if (options_.json) print(report_json(report_) + "\n");
  if (options_.json || options_.quiet) return;
  for (const auto& note : report_.notes) print_message(note + "\n");
  if (!display_.is_for_people()) return;
  const auto& input = report_.input;
  std::string text = fmt::format("{} x {} numbers, {:.2f} s", input.rows, input.cols, report_.seconds.total);
  for (const auto& output : report_.outputs)
    if (output.path != "-") text += fmt::format("; {} in {}", output.content, output.path);
  print_message(text + "\n");
}

}  // namespace unroll::cli
