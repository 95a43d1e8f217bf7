#include "doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/column_statistics.h"

namespace unroll::cli {
namespace {

/// "column 3 ('age')", or "column 3" without names.
std::string column_text(const Table& table, Index j) {
  const auto& names = table.column_names;
  const std::string name = names.empty() ? "" : fmt::format(" ('{}')", names[static_cast<std::size_t>(j)]);
  return fmt::format("column {}{}", j + 1, name);
}

/// The number of a row is no measurement.
bool counts_rows(PointsView points, Index j) {
  return points.rows() > 2 && points.visit([&](auto x) {
    const auto first = static_cast<double>(x(0, j));
    if (first != 0 && first != 1) return false;
    for (Index i = 0; i < x.rows; ++i)
      if (static_cast<double>(x(i, j)) != first + static_cast<double>(i)) return false;
    return true;
  });
}

std::vector<double> deviations_of(PointsView points) {
  const ColumnRanges ranges = column_ranges(points, {});
  return column_deviations(points, ranges, column_means(points, ranges, {}), {});
}

bool looks_like_distances(PointsView points) {
  if (points.rows() != points.cols() || points.rows() < 3) return false;
  return points.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      if (x(i, i) != 0) return false;
      for (Index j = 0; j < i; ++j)
        if (x(i, j) != x(j, i) || x(i, j) < 0) return false;
    }
    return true;
  });
}

bool is_name_of_labels(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{"label",   "labels",  "class",    "target", "species",
                                                   "cluster", "classes", "category", "y"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kNames.begin(), kNames.end(), lower) != kNames.end();
}

}  // namespace

std::vector<std::string> doubts_about(const Table& table, const std::string& path, bool is_scaled) {
  constexpr double kMostOfAll = 0.9;
  constexpr Index kFarMore = 10;
  const PointsView points = table.view();
  std::vector<std::string> doubts;
  const auto say = [&](const std::string& text) { doubts.push_back(fmt::format("{}: {}", path, text)); };
  if (looks_like_distances(points)) {
    say("the table is square and symmetric with a zero diagonal: if it holds distances, use metric=precomputed");
    return doubts;
  }
  for (Index j = 0; j < points.cols(); ++j)
    if (points.cols() > 1 && counts_rows(points, j))
      say(fmt::format("{} counts the rows: it is taken for a feature", column_text(table, j)));
  for (std::size_t j = 0; j < table.column_names.size(); ++j)
    if (points.cols() > 1 && is_name_of_labels(table.column_names[j]))
      say(fmt::format("{} is taken for a feature: if it holds labels, use label_column={}",
                      column_text(table, static_cast<Index>(j)), table.column_names[j]));
  if (points.cols() > 2 && points.rows() > 1 && !is_scaled) {
    // In units of the largest, so that no square overflows.
    const std::vector<double> deviations = deviations_of(points);
    const auto largest = std::max_element(deviations.begin(), deviations.end());
    double sum = 0;
    for (const double deviation : deviations) sum += (deviation / *largest) * (deviation / *largest);
    if (*largest > 0 && kMostOfAll * sum < 1)
      say(
          fmt::format("{} has {:.0f} % of the variance, so that it decides nearly alone who is near whom: if units "
                      "differ, use scale=standardize",
                      column_text(table, largest - deviations.begin()), std::floor(100 / sum)));
  }
  if (!table.row_names.empty() && points.cols() > kFarMore * points.rows())
    say(fmt::format("there are {} rows with names and {} columns: if samples are in columns, transpose the table",
                    points.rows(), points.cols()));
  return doubts;
}

}  // namespace unroll::cli
