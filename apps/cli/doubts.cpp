#include "doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "data/column_statistics.h"
#include "model_columns.h"

namespace unroll::cli {
namespace {

/// "column 3 ('age')", or "column 3" without names.
std::string column_text(const Table& table, Index j) {
  const auto& names = table.column_names;
  const std::string name = names.empty() ? "" : fmt::format(" ('{}')", names[static_cast<std::size_t>(j)]);
  return fmt::format("column {}{}", j + 1, name);
}

/// By which options speak of the column: its name, or its number in the file.
std::string column_word(const Table& table, Index j) {
  const auto place = static_cast<std::size_t>(j);
  if (table.column_names.empty() || table.column_names[place].empty())
    return fmt::format("{}", 1 + (table.places.empty() ? j : table.places[place]));
  const std::string& name = table.column_names[place];
  const bool is_plain = name.find_first_of(" ,;:()'\"") == std::string::npos;
  return is_plain ? name : fmt::format("'{}'", name);
}

bool are_whole(PointsView points, Index j) {
  return points.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i)
      if (x(i, j) != std::nearbyint(x(i, j))) return false;
    return true;
  });
}

/// The number of a row is no measurement, whatever the first one is: 1, 2, 3, ... or 1001, 1002, 1003, ...
bool counts_rows(PointsView points, Index j) {
  return points.rows() > 2 && points.visit([&](auto x) {
    const auto first = static_cast<double>(x(0, j));
    // 5, 6, 7 may be measured.
    if (first < 0 || first != std::nearbyint(first) || (first > 1 && x.rows < 10)) return false;
    for (Index i = 0; i < x.rows; ++i)
      if (static_cast<double>(x(i, j)) != first + static_cast<double>(i)) return false;
    return true;
  });
}

/// The only column of whole numbers, of which there are few and each often, among columns of decimals: they may well be
/// numbers of classes.
std::optional<Index> numbered_classes(PointsView points) {
  constexpr std::size_t kMost = 20;
  constexpr Index kOften = 5;
  std::optional<Index> found;
  for (Index j = 0; j < points.cols(); ++j) {
    if (!are_whole(points, j)) continue;
    if (found) return std::nullopt;
    found = j;
  }
  if (!found || points.cols() < 3) return std::nullopt;
  std::set<double> different;
  points.visit([&](auto x) {
    for (Index i = 0; i < x.rows && different.size() <= kMost; ++i) different.insert(static_cast<double>(x(i, *found)));
  });
  const bool are_few = different.size() > 1 && different.size() <= kMost;
  return are_few && points.rows() >= kOften * std::ssize(different) ? found : std::nullopt;
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

bool is_name_of_labels(const Table& table, Index j) {
  constexpr std::array<std::string_view, 10> kNames{"label",   "labels",  "class",    "target",    "species",
                                                    "cluster", "classes", "category", "cell_type", "y"};
  constexpr std::array<std::string_view, 6> kNamesOfNumbers{"kind", "group", "stage", "batch", "sample", "celltype"};
  const auto lower = [](std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
  };
  const std::string name = lower(table.column_names[static_cast<std::size_t>(j)]);
  const auto is_one = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (is_one(kNamesOfNumbers)) return are_whole(table.view(), j);
  // Beside x it is the other coordinate.
  return is_one(kNames) && (name != "y" || std::none_of(table.column_names.begin(), table.column_names.end(),
                                                        [&](const auto& other) { return lower(other) == "x"; }));
}

std::vector<std::string> doubts_about_columns(const Table& table) {
  const PointsView points = table.view();
  std::vector<std::string> doubts;
  const auto classes = numbered_classes(points);
  for (Index j = 0; j < points.cols() && points.cols() > 1; ++j) {
    const std::string what = column_text(table, j), word = column_word(table, j);
    if (table.row_names.empty() && counts_rows(points, j)) {
      doubts.push_back(
          fmt::format("{} counts the rows: it is taken for a feature; if it names the rows, use "
                      "id_column={}",
                      what, word));
    } else if (!table.column_names.empty() && is_name_of_labels(table, j)) {
      doubts.push_back(fmt::format("{} is taken for a feature: if it holds labels, use label_column={}", what, word));
    } else if (classes == j) {
      doubts.push_back(
          fmt::format("{} has few different whole numbers, unlike the other columns, and is taken for a "
                      "feature: if it holds labels, use label_column={}",
                      what, word));
    }
  }
  for (const std::string& name : repeated_names(table.column_names))
    doubts.push_back(
        fmt::format("several columns are called '{}': in new tables only their order tells them apart", name));
  return doubts;
}

/// Genes times cells, for example: the columns have as many different names as the rows, and the table is wide.
bool may_be_transposed(const Table& table) {
  constexpr Index kWide = 4;
  const PointsView points = table.view();
  return !table.row_names.empty() && !table.column_names.empty() && points.cols() > kWide * points.rows();
}

}  // namespace

std::vector<std::string> doubts_about(const Table& table, const std::string& path, bool is_scaled) {
  constexpr double kMostOfAll = 0.9;
  const PointsView points = table.view();
  std::vector<std::string> doubts;
  const auto say = [&](const std::string& text) { doubts.push_back(fmt::format("{}: {}", path, text)); };
  if (looks_like_distances(points)) {
    say("the table is square and symmetric with a zero diagonal: if it holds distances, use metric=precomputed");
    return doubts;
  }
  for (const std::string& doubt : doubts_about_columns(table)) say(doubt);
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
  if (may_be_transposed(table))
    say(fmt::format("{} samples of {} features: if samples are in columns, use transpose=true", points.rows(),
                    points.cols()));
  return doubts;
}

}  // namespace unroll::cli
