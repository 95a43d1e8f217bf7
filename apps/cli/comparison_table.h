#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "console.h"
#include "report.h"
#include "unroll/report/figures.h"

/// What 'unroll compare' says of a comparison, for people and for programs.
namespace unroll::cli {

/// The table as text. Its columns are known before the first row is.
class ComparisonTable {
 public:
  ComparisonTable(const Comparer& comparer, const GroundTruth& known, const Style& style);

  /// Leaves out the columns in which nothing came to be.
  void drop_empty(const Comparison& comparison);

  std::string heading() const;
  std::string row(const Comparison& comparison, std::size_t method) const;
  /// What a random map and the data themselves would have.
  std::string baselines(const Comparison& comparison) const;
  /// All of it.
  std::string text(const Comparison& comparison) const;

 private:
  std::string line(std::string_view name, const std::vector<std::string>& cells) const;

  const Style& style_;
  std::vector<Figure> columns_;
  std::size_t name_width_ = 0;
};

/// The verdict as paragraphs, after an empty line.
std::string verdict_text(const Comparison& comparison, std::size_t width);

/// Every method's warnings under its label; equal warnings of several methods appear once.
std::vector<Warning> warnings_by_method(const Comparison& comparison);
/// A warning that names the methods that failed, with the error of the first one.
std::vector<Warning> failures(const Comparison& comparison);

/// Puts errors and warnings in the words of the command line.
void put_in_words(const Console& console, ComparedMethod& method);

void fill_report(Report& report, const ComparisonOptions& options, const Comparison& comparison);

}  // namespace unroll::cli
