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

/// One run of a verb that reads a table, computes and writes: flags into a Run, progress, warnings, time, the report.
class Job {
 public:
  /// `output` is the value of -o. Throws when it cannot be written to, before any work is done: it must be a table's
  /// name, or end with `own_extension`, for a verb that writes more than tables.
  Job(std::string_view verb, const Arguments& arguments, const Console& console, const std::string& output,
      std::string_view own_extension = {});
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

  const Run& run() const { return run_; }
  Report& report() { return report_; }

  Table read(const std::string& path);
  /// The same where a sparse matrix will do as it is.
  std::variant<Table, SparseTable> read_matrix(const std::string& path);
  /// Another table, beside the one that the report calls the input; the flags for reading text are not about it.
  Table read_beside(const std::string& path, const std::string& label_column = {});
  Model load(const std::string& path);
  /// What `work` returns. Its time is added to the report's for computing.
  template <class Work>
  auto compute(Work&& work) {
    const Timer timer(report_.seconds.compute);
    return std::forward<Work>(work)();
  }
  /// Shows warnings and keeps them for the report; with --strict throws InvalidData.
  void warn(const std::vector<Warning>& warnings);
  void save(const std::string& path, const Model& model);
  /// Writes rows that belong to the rows of `table`, with its row names and labels, to the output.
  void write(std::string_view content, PointsView values, std::string_view column_prefix, const Table& table);
  /// Writes a table with names of its own to the output.
  void write(std::string_view content, PointsView values, const TableNames& names);
  /// Calls `write` with the path of the output, for what is not a table.
  void write_with(std::string_view content, Index rows, Index cols,
                  const std::function<void(const std::string& path)>& write);
  /// What people asked for, on standard output; nothing with --json, whose report has it all.
  void print_summary(std::string_view text);
  /// Prints the report, or on a terminal a line about what was done.
  void finish();

 private:
  /// Adds the time it lives.
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

  void report_input(const std::string& path, const Table& table);
  std::string output_path(const std::string& path) const;
  void check_table_name(const std::string& path) const;
  void begin_writing(std::string_view stage);

  std::string verb_;
  const Console& console_;
  RunOptions options_;
  InputOptions input_;
  std::string own_extension_;
  bool writes_table_;   // and not a file of the verb's own kind
  std::string output_;  // empty: nowhere, since --json takes the standard output
  ProgressDisplay display_;
  Run run_;
  Report report_;
  std::optional<Timer> total_{report_.seconds.total};
};

}  // namespace unroll::cli
