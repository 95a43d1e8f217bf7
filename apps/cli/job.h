#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "command_line.h"
#include "console.h"
#include "process.h"
#include "progress.h"
#include "report.h"
#include "shared_options.h"
#include "unroll/core/run.h"
#include "unroll/data/table.h"

namespace unroll::cli {

/// One run of a verb that reads a table, computes and writes. It turns flags into a Run, and handles progress,
/// warnings, times and the report.
class Job {
 public:
  /// `output` is the value of -o. Throws before any work is done if it cannot be written. It must be the name of a
  /// table, or end with `own_extension` if the verb also writes another format.
  Job(std::string_view verb, const Arguments& arguments, const Console& console, const std::string& output,
      std::string_view own_extension = {});
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

  const Run& run() const { return run_; }
  const Console& console() const { return console_; }
  Report& report() { return report_; }
  bool writes_json() const { return options_.json; }

  /// What a verb asks for beside the flags for reading.
  struct Reading {
    bool keep_missing = false;    ///< see ReadOptions
    ColumnChoice trained = {};    ///< see ReadOptions
    std::string annotation = {};  ///< see ReadOptions
  };
  Table read(const std::string& path, const Reading& reading);
  Table read(const std::string& path) { return read(path, {}); }
  /// Whether features of a sparse file shall stay sparse.
  bool keeps_sparse() const { return input_.sparse == SparseFile::Features; }
  /// Reads them; throws InvalidOption if the file is not sparse.
  SparseTable read_sparse(const std::string& path);
  /// The same; a sparse matrix stays sparse.
  std::variant<Table, SparseTable> read_matrix(const std::string& path);
  /// Reads another table beside the input of the report; the flags for reading text do not apply to it.
  Table read_beside(const std::string& path, const ReadOptions& options = {});
  /// Words of a file with one per line, or numbers of any table of one column, or a column of a table: "FILE:COLUMN".
  std::vector<std::string> read_words(const std::string& path, Index rows);
  Model load(const std::string& path);
  /// Returns the result of `work` and adds its time to the computing time of the report.
  template <class Work>
  auto compute(Work&& work) {
    const Timer timer(report_.seconds.compute);
    return std::forward<Work>(work)();
  }
  /// Shows warnings and keeps them for the report; with --strict throws InvalidData.
  void warn(const std::vector<Warning>& warnings);
  /// Says something that is probably meant so, and keeps it for the report.
  void note(const std::string& text);
  void save(const std::string& path, const Model& model);
  /// Writes another table beside the output.
  void write_beside(std::string_view content, const std::string& path, PointsView values, const TableNames& names);
  /// Calls `write` for a file beside the output that is not a table.
  void write_beside_with(std::string_view content, const std::string& path, const std::function<void()>& write);
  /// Writes rows that belong to the rows of `table`, with its row names and labels, to the output.
  void write(std::string_view content, PointsView values, std::string_view column_prefix, const Table& table);
  /// Writes a table with its own names to the output.
  void write(std::string_view content, PointsView values, const TableNames& names);
  /// Calls `write` with the path of the output, for what is not a table.
  void write_with(std::string_view content, Index rows, Index cols,
                  const std::function<void(const std::string& path)>& write);
  /// Prints the result for people on standard output; prints nothing with --json, whose report contains it.
  void print_summary(std::string_view text);
  /// Prints a part of that result while the work goes on.
  void print_part(std::string_view text);
  /// A signal has asked to stop, and the work did. What is finished is still printed and written; one more signal ends
  /// the process.
  void keep_what_is_finished();
  /// From here on the first Ctrl-C during the optimisation of a map ends it with the map so far.
  void let_layouts_finish();
  /// Calls `watch` with every report that has the present map of an optimiser.
  void watch_frames(std::function<void(const Progress&)> watch);
  /// Prints the report, or on a terminal a line that says what was done.
  void finish();

 private:
  /// Adds its own lifetime to `seconds`.
  class Timer {
   public:
    explicit Timer(double& seconds) : seconds_(seconds) {}
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() { seconds_ += seconds_now() - start_; }

   private:
    double& seconds_;
    double start_ = seconds_now();
  };

  Answer answer(const Progress& progress);
  void report_input(const std::string& path, const Table& table);
  std::string output_path(const std::string& path) const;
  void check_table_name(const std::string& path) const;
  void begin_writing(std::string_view stage);

  const Console& console_;
  RunOptions options_;
  InputOptions input_;
  std::string own_extension_;
  bool writes_table_;   // not a file in the verb's own format
  std::string output_;  // empty: none, since --json uses the standard output
  ProgressDisplay display_;
  bool layouts_finish_ = false;
  std::function<void(const Progress&)> watch_frame_ = {};
  Run run_;
  Report report_;
  std::optional<Timer> total_{report_.seconds.total};
};

/// "sheet.csv:arc": a column of a file; or a file, without a column.
struct FileColumn {
  explicit FileColumn(const std::string& text);
  std::string file;
  std::string column = {};
};

/// Row names and labels of a table, for what is written row by row.
TableNames names_beside(const Table& table);
/// "pca0", "pca1", ...
std::vector<std::string> numbered(std::string_view prefix, Index count);

}  // namespace unroll::cli
