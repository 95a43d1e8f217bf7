#include "quality_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "help.h"
#include "quality_report.h"
#include "writable.h"

namespace unroll::cli {
namespace {

std::string number_text(double number) {
  if (std::isnan(number)) return "undefined";
  constexpr double kSmall = 1e-3, kLarge = 1e5;  // beyond them, four decimals say too little or too much
  const bool is_plain = number == 0 || (std::abs(number) >= kSmall && std::abs(number) < kLarge);
  return is_plain ? fmt::format("{:.4f}", number) : fmt::format("{:.4g}", number);
}

std::string value_text(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  if (list == nullptr) return to_text(value);
  std::vector<std::string> words;
  for (const double number : *list) words.push_back(number_text(number));
  return joined(words);
}

/// The figures in words, by the thresholds of docs/quality.md.
std::string reading_of(const Quality& quality) {
  const auto& trust = quality.trustworthiness;
  const auto& continuity = quality.continuity;
  if (trust.sample == 0 || continuity.sample == 0) return "";
  const double worst = std::min(trust.value, continuity.value);
  if (worst > 0.99) return "neighborhoods are kept well\n";
  std::string_view kept = "badly kept";
  if (trust.value >= 0.85 && continuity.value >= 0.9) kept = "kept in part";
  if (worst >= 0.95) kept = "mostly kept";
  return fmt::format("neighborhoods are {}: what fails most is that {}\n", kept,
                     trust.value < continuity.value ? "strangers meet in the map" : "neighbors are torn apart");
}

}  // namespace

std::string quality_text(const Quality& quality) {
  std::vector<Definition> lines;
  for (const auto& [name, value] : quality_values(quality)) lines.emplace_back(name, value_text(value));
  return definition_list(lines, text_width()) + reading_of(quality);
}

void write_measures(Job& job, const OptionValues& measures) {
  std::vector<double> values;
  TableNames names{.columns = {"value"}, .row_header = "measure"};
  for (const auto& [name, value] : measures) {
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (std::isnan((*list)[i])) continue;
        names.rows.push_back(fmt::format("{}_{}", name, i));
        values.push_back((*list)[i]);
      }
    } else {
      const auto* whole = std::get_if<std::int64_t>(&value);
      const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
      if (std::isnan(number)) continue;
      names.rows.push_back(name);
      values.push_back(number);
    }
  }
  job.write("measures", PointsView(values.data(), static_cast<Index>(values.size()), 1), names);
}

void write_per_point(Job& job, const Quality& quality, const std::vector<double>& stress, const Table& table) {
  const std::vector<std::pair<const char*, const std::vector<double>*>> columns{
      {"trustworthiness", &quality.trustworthiness.per_point},
      {"continuity", &quality.continuity.per_point},
      {"neighbor_preservation", &quality.neighbor_preservation.per_point},
      {"r_nx_area", &quality.co_ranking.area.per_point},
      {"stress_1", &stress},
  };
  const Index n = std::ssize(quality.continuity.per_point);
  TableNames names = names_beside(table);
  std::vector<double> values;
  for (const auto& [name, column] : columns)
    if (!column->empty()) names.columns.emplace_back(name);
  for (Index i = 0; i < n; ++i)
    for (const auto& [name, column] : columns)
      if (!column->empty()) values.push_back((*column)[static_cast<std::size_t>(i)]);
  if (stress.empty())
    job.note(
        fmt::format("r_nx_area and stress_1 are left out, since all distances among {} points take long; "
                    "--rank-points {} has them",
                    n, n));
  job.write("measures of points", PointsView(values.data(), n, std::ssize(names.columns)), names);
}

void check_table_path(const std::string& path) {
  if (path.empty()) return;
  table_format(path);
  check_writable(path);
}

void write_shepard(Job& job, const std::string& path, PointsView high, PointsView low, const QualityOptions& options) {
  if (path.empty()) return;
  constexpr Index kPairs = 5000;
  const Array2<double> pairs = job.compute([&] { return shepard_pairs(high, low, kPairs, options, job.run()); });
  job.write_beside("distances", path, pairs, {.columns = {"distance_high", "distance_low"}});
}

}  // namespace unroll::cli
