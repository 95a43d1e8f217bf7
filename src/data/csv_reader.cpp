#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "core/memory.h"
#include "data/csv_layout.h"
#include "data/csv_number.h"
#include "data/csv_rows.h"
#include "data/csv_text.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

/// Reads text in three steps: CsvText cuts it into lines and fields, find_csv_layout finds the meaning of lines and
/// columns, parse_csv_rows reads the numbers. This file then handles missing values.
namespace unroll {
namespace {

/// "lines 4, 9, 12, ..."
std::string first_lines(const CsvText& text, const std::vector<IncompleteRow>& rows) {
  constexpr std::size_t kShown = 5;
  std::vector<Index> lines;
  for (std::size_t i = 0; i < std::min(kShown, rows.size()); ++i) lines.push_back(text.line_number(rows[i].line));
  return fmt::format("line{} {}{}", rows.size() == 1 ? "" : "s", fmt::join(lines, ", "),
                     rows.size() > kShown ? ", ..." : "");
}

void drop(std::vector<std::string>& entries, const std::vector<IncompleteRow>& rows) {
  auto next = rows.begin();
  Index i = 0;
  std::erase_if(entries, [&](const std::string&) {
    if (next == rows.end() || next->row != i++) return false;
    ++next;
    return true;
  });
}

Array2<double> without(const Array2<double>& values, const std::vector<IncompleteRow>& rows) {
  const Index left = values.rows() - static_cast<Index>(rows.size());
  auto kept = Array2<double>::uninitialized(left, values.cols());
  double* out = kept.data();
  Index from = 0;
  const auto keep_until = [&](Index row) {
    out = std::copy(values.row(from), values.row(row), out);
    from = row + 1;
  };
  for (const IncompleteRow& incomplete : rows) keep_until(incomplete.row);
  keep_until(values.rows());
  return kept;
}

Warning drop_rows(const CsvText& text, CsvRows& rows, const Run& run) {
  const std::size_t count = rows.incomplete.size();
  if (static_cast<Index>(count) == rows.values.rows())
    throw Error(ErrorKind::InvalidData, {.who = text.name(),
                                         .problem = "every row has a missing value, none is left",
                                         .advice = "use --na mean",
                                         .option = "na"});
  MemoryPlan(text.name())
      .add("the table, and again without the rows left out", 2 * static_cast<double>(rows.values.rows()),
           static_cast<double>(rows.values.cols()), sizeof(double))
      .add("the text", 1, static_cast<double>(text.size()), 1)
      .require(run, "use --na mean, or give it a larger memory budget");
  rows.values = without(rows.values, rows.incomplete);
  drop(rows.names, rows.incomplete);
  for (auto& labels : rows.labels) drop(labels, rows.incomplete);
  return {"rows-dropped",
          fmt::format("{}: {} row{} with missing values left out ({})", text.name(), count, count == 1 ? "" : "s",
                      first_lines(text, rows.incomplete)),
          "use --na mean to fill the values in instead"};
}

/// The columns of the file that become those of the table.
std::vector<Index> places_of(const CsvLayout& layout) {
  std::vector<Index> places;
  for (Index column = 0; column < layout.fields; ++column)
    if (layout.roles[static_cast<std::size_t>(column)] == ColumnRole::Feature) places.push_back(column);
  return places;
}

Warning fill_in_means(const CsvText& text, const CsvLayout& layout, CsvRows& rows) {
  Array2<double>& values = rows.values;
  const auto cols = static_cast<std::size_t>(values.cols());
  std::vector<Index> present(cols);
  std::vector<long double> sums(cols);  // the sum of a mean must not overflow: 1e308 + 1e308
  for (Index i = 0; i < values.rows(); ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const double x = values.row(i)[j];
      if (std::isnan(x)) continue;
      ++present[j];
      sums[j] += x;
    }
  Index filled = 0;
  for (const IncompleteRow& incomplete : rows.incomplete)
    for (std::size_t j = 0; j < cols; ++j) {
      double& x = values.row(incomplete.row)[j];
      if (!std::isnan(x)) continue;
      if (present[j] == 0)
        throw Error(ErrorKind::InvalidData, {.who = text.name(),
                                             .problem = fmt::format("{} has no value at all, so no mean",
                                                                    layout.describe(places_of(layout)[j])),
                                             .advice = "remove the column"});
      x = static_cast<double>(sums[j] / static_cast<long double>(present[j]));
      ++filled;
    }
  return {"values-imputed",
          fmt::format("{}: {} missing value{} in {} row{} filled in with the column's mean ({})", text.name(), filled,
                      filled == 1 ? "" : "s", rows.incomplete.size(), rows.incomplete.size() == 1 ? "" : "s",
                      first_lines(text, rows.incomplete)),
          "use --na drop to leave the rows out instead"};
}

void annotate(const CsvLayout& layout, const CsvRows& rows, Table& table) {
  if (!layout.annotation) return;
  const Index column = *layout.annotation;
  const auto feature = std::find(table.places.begin(), table.places.end(), column);
  if (feature != table.places.end()) {
    table.annotated_feature = feature - table.places.begin();
    return;
  }
  const auto label = std::find(layout.labels.begin(), layout.labels.end(), column);
  table.annotation = {layout.name(column), label == layout.labels.end()
                                               ? table.row_names
                                               : rows.labels[static_cast<std::size_t>(label - layout.labels.begin())]};
}

/// What is known of the columns beside their numbers.
void describe_columns(const CsvLayout& layout, CsvRows& rows, Table& table) {
  table.places = places_of(layout);
  table.file_columns = layout.fields;
  table.unknown = layout.unknown;
  if (!layout.header.empty()) {
    for (const Index column : table.places) table.column_names.push_back(layout.name(column));
    const auto names = std::find(layout.roles.begin(), layout.roles.end(), ColumnRole::RowName);
    if (names != layout.roles.end()) table.id_name = layout.name(names - layout.roles.begin());
  }
  annotate(layout, rows, table);
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.asked_labels); ++i) {
    TextColumn column{layout.name(layout.labels[i]), std::move(rows.labels[i])};
    if (i == 0) {
      table.labels = std::move(column.values);
      table.label_name = std::move(column.name);
    } else {
      table.more_labels.push_back(std::move(column));
    }
  }
}

/// A first column of words is taken for names of rows: that may be wrong where they are few, or numbers in disguise.
void note_odd_names(const CsvLayout& layout, Table& table) {
  const std::vector<std::string>& names = table.row_names;
  const std::set<std::string_view> different(names.begin(), names.end());
  const auto decorated =
      std::count_if(names.begin(), names.end(), [](const auto& n) { return is_decorated_number(n); });
  const std::string word = layout.word(0);
  if (2 * decorated > std::ssize(names)) {
    table.notes.push_back(
        fmt::format("{} is taken for names of rows: if {} and the like are numbers, leave only their digits",
                    layout.describe(0), quoted_for_message(names.front())));
  } else if (names.size() > 3 && 2 * different.size() <= names.size()) {
    table.notes.push_back(
        fmt::format("{} is taken for names of rows, though there are only {} different ones: if it holds labels, use "
                    "label_column={}",
                    layout.describe(0), different.size(), word));
  }
}

}  // namespace

Table read_csv(ByteSource& source, const ReadOptions& options, const Run& run) {
  Table table;
  const CsvText text(source.name(), source.read_all(1), options.delimiter, {options.decimal, options.na_values});
  const CsvLayout layout = find_csv_layout(text, options, table.warnings);
  if (!layout.title.empty())
    table.notes.push_back(fmt::format("the first line, {}, is taken for a title", quoted_for_message(layout.title)));
  CsvRows rows = parse_csv_rows(text, layout, options.missing, run);
  const bool is_kept = options.missing == MissingValues::Mean && options.keep_missing;
  if (!rows.incomplete.empty() && !is_kept)
    table.warnings.push_back(options.missing == MissingValues::Drop ? drop_rows(text, rows, run)
                                                                    : fill_in_means(text, layout, rows));
  table.values = std::move(rows.values);
  table.row_names = std::move(rows.names);
  if (layout.names_are_text) note_odd_names(layout, table);
  describe_columns(layout, rows, table);
  return table;
}

}  // namespace unroll
