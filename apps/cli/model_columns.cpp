#include "model_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/text.h"
#include "data/column_statistics.h"
#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

/// A name, and how many columns before it have the same one: so every column has another key.
using ColumnKey = std::pair<std::string, Index>;

std::vector<ColumnKey> keys_of(const std::vector<std::string>& names) {
  std::map<std::string, Index, std::less<>> seen;
  std::vector<ColumnKey> keys;
  for (const std::string& name : names) keys.emplace_back(name, seen[name]++);
  return keys;
}

std::string with_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

[[noreturn]] void throw_missing(const std::vector<std::string>& missing, const std::vector<std::string>& given,
                                const std::string& path, std::string_view method) {
  const auto other = std::find_if(given.begin(), given.end(), [&](const std::string& name) {
    return with_small_letters(name) == with_small_letters(missing.front());
  });
  throw Error(
      ErrorKind::InvalidData,
      {.who = std::string(method),
       .problem = fmt::format("{} lacks {} that the model was fitted on: {}", path,
                              missing.size() == 1 ? "a column" : "columns", quoted_names(missing)),
       .advice = other == given.end() ? fmt::format("add {0}, or fit without {0}", missing.size() == 1 ? "it" : "them")
                                      : fmt::format("capitals count: '{}' is not '{}'", *other, missing.front())});
}

/// Columns of one name can be told apart by their order alone: throws if that is another one.
void check_repeated(const std::vector<std::string>& names, const std::vector<Index>& columns, bool has_more,
                    const std::string& path, std::string_view method) {
  const std::vector<std::string> repeated = repeated_names(names);
  if (repeated.empty() || (!has_more && std::is_sorted(columns.begin(), columns.end()))) return;
  throw Error(ErrorKind::InvalidData,
              {.who = std::string(method),
               .problem = fmt::format("several columns are called {}; only their order tells them apart, but {} has "
                                      "other columns, or another order",
                                      quoted_names(repeated), path),
               .advice = "give the table the columns of the training table in its order, or fit again with a name per "
                         "column"});
}

/// For every column of the model the column of the table.
std::vector<Index> matching_columns(const std::vector<std::string>& own, const std::vector<std::string>& given,
                                    const std::string& path, std::string_view method) {
  std::map<ColumnKey, Index> places;
  for (const ColumnKey& key : keys_of(given)) places.emplace(key, static_cast<Index>(places.size()));
  std::vector<Index> columns;
  std::vector<std::string> missing;
  for (const ColumnKey& key : keys_of(own)) {
    const auto found = places.find(key);
    if (found == places.end()) {
      missing.push_back(key.first);
    } else {
      columns.push_back(found->second);
    }
  }
  if (!missing.empty()) throw_missing(missing, given, path, method);
  check_repeated(given, columns, given.size() != own.size(), path, method);
  return columns;
}

/// Says that names could not be compared. Where neither has any, nobody expects it.
void note_order(const Table& table, const Model& model, const std::string& path, Job& job) {
  const bool has_names = !table.column_names.empty(), is_named = !model.features().names.empty();
  if (has_names == is_named) return;
  job.note(fmt::format("{} no column names: the columns are taken in their order",
                       has_names ? "the model has" : fmt::format("'{}' has", path)));
}

void check_column_count(const Table& table, const Model& model, const std::string& path) {
  const Index given = table.view().cols();
  if (given == model.n_features()) return;
  throw Error(ErrorKind::InvalidData, {.who = model.method(),
                                       .problem = fmt::format("'{}' has {}; the model was fitted on {}", path,
                                                              counted(given, "column"), model.n_features()),
                                       .advice = "give the columns of the training table"});
}

/// A row whose median deviation from the training means, in units of the training columns' standard deviations, is
/// beyond this is far from all training rows.
constexpr double kFar = 10;

/// New rows in other units are placed like any others, and wrongly: how many are far from all training rows?
Index count_far(const Table& table, const Features& features) {
  const PointsView points = table.view();
  if (std::ssize(features.deviations) != points.cols() || std::ssize(features.means) != points.cols()) return 0;
  Index far = 0;
  std::vector<double> apart;
  points.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) {
      apart.clear();
      for (std::size_t j = 0; j < features.means.size(); ++j) {
        const auto value = static_cast<double>(x(i, static_cast<Index>(j)));
        if (features.deviations[j] > 0 && std::isfinite(value))  // what is not is refused later
          apart.push_back(std::abs(value - features.means[j]) / features.deviations[j]);
      }
      if (apart.empty()) continue;
      const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
      std::nth_element(apart.begin(), middle, apart.end());
      far += *middle > kFar ? 1 : 0;
    }
  });
  return far;
}

/// Fills in NaN, and says how many.
Index fill_in(const std::vector<double>& means, Table& table) {
  Index filled = 0;
  std::visit(
      [&]<class T>(Array2<T>& values) {
        for (Index i = 0; i < values.rows(); ++i)
          for (Index j = 0; j < values.cols(); ++j)
            if (std::isnan(values(i, j))) {
              values(i, j) = static_cast<T>(means[static_cast<std::size_t>(j)]);
              ++filled;
            }
      },
      table.values);
  return filled;
}

}  // namespace

std::vector<std::string> repeated_names(const std::vector<std::string>& names) {
  std::vector<std::string> repeated;
  for (const ColumnKey& key : keys_of(names))
    if (key.second == 1) repeated.push_back(key.first);
  return repeated;
}

std::string quoted_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) shown.push_back(fmt::format("'{}'", names[i]));
  return joined(shown) + (names.size() > kShown ? fmt::format(", ... ({} in all)", names.size()) : "");
}

Features features_of(const Table& table) {
  const PointsView points = table.view();
  const ColumnRanges ranges = column_ranges(points, {});
  Features features{.names = table.column_names, .means = column_means(points, ranges, {})};
  std::vector<double> deviations = column_deviations(points, ranges, features.means, {});
  if (std::all_of(deviations.begin(), deviations.end(), [](double x) { return std::isfinite(x); }))
    features.deviations = std::move(deviations);
  if (std::ssize(table.places) == table.file_columns) return features;
  features.places = table.places;
  features.file_columns = table.file_columns;
  return features;
}

std::vector<std::string> names_of_features(const Model& model) {
  return model.features().names.empty() ? numbered("x", model.n_features()) : model.features().names;
}

ColumnChoice choice_of(const Model& model) {
  const Features& features = model.features();
  return {.names = features.names, .places = features.places, .of = features.file_columns};
}

void note_unknown(const Table& table, const std::string& path, Job& job) {
  if (table.unknown.empty()) return;
  const std::string_view noun = table.unknown.size() == 1 ? "a column" : "columns";
  if (table.column_names.empty()) {
    job.note(fmt::format("{}: left out {}, as in the training table: {}", path, noun, joined(table.unknown)));
  } else {
    job.note(
        fmt::format("{}: left out {} that the model does not know: {}; label_column={} would keep {} beside the "
                    "coordinates",
                    path, noun, quoted_names(table.unknown), table.unknown.size() == 1 ? table.unknown.front() : "NAME",
                    table.unknown.size() == 1 ? "it" : "one"));
  }
}

Table arranged(Table table, const Model& model, const std::string& path, Job& job) {
  const Features& features = model.features();
  note_unknown(table, path, job);
  note_order(table, model, path, job);
  if (!features.names.empty() && !table.column_names.empty()) {
    const std::vector<Index> columns = matching_columns(features.names, table.column_names, path, model.method());
    if (!std::is_sorted(columns.begin(), columns.end()))
      job.note(fmt::format("{}: the columns are in another order than in the training table; they were matched by name",
                           path));
    keep_columns(table, columns);
  }
  check_column_count(table, model, path);
  return table;
}

Table matched(Table table, const Model& model, const std::string& path, Job& job) {
  table = arranged(std::move(table), model, path, job);
  warn(fill_and_count(table, model), path, job);
  return table;
}

RowDoubts fill_and_count(Table& table, const Model& model) {
  const Features& features = model.features();
  RowDoubts doubts{.rows = table.view().rows()};
  if (table.view().cols() == std::ssize(features.means)) doubts.filled = fill_in(features.means, table);
  doubts.far = count_far(table, features);
  return doubts;
}

void warn(const RowDoubts& doubts, const std::string& path, Job& job) {
  if (doubts.filled > 0)
    job.warn({{"values-imputed",
               fmt::format("{}: {} missing value{} filled in with the mean of the training column", path, doubts.filled,
                           doubts.filled == 1 ? "" : "s"),
               "use --na drop to leave the rows out instead"}});
  if (2 * doubts.far > doubts.rows)
    job.warn(
        {{"far-from-training",
          fmt::format("{}: {} of {} rows are far from all that the model was fitted on: half of their values or more "
                      "are beyond {} standard deviations from the training means",
                      path, doubts.far, doubts.rows, kFar),
          "see that the units, and what was done to the values before, are those of the training table"}});
}

}  // namespace unroll::cli
