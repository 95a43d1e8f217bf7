#include "model_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.h"
#include "data/column_statistics.h"
#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

/// "'a', 'b', ... (7 in all)"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) shown.push_back(fmt::format("'{}'", names[i]));
  return joined(shown) + (names.size() > kShown ? fmt::format(", ... ({} in all)", names.size()) : "");
}

using Places = std::map<std::string, Index, std::less<>>;

/// The place of every name; nothing if a name comes twice, so that it names no column.
std::optional<Places> places_of(const std::vector<std::string>& names) {
  Places places;
  for (const std::string& name : names) places.emplace(name, static_cast<Index>(places.size()));
  if (places.size() != names.size()) return std::nullopt;
  return places;
}

/// For every column of the model the column of the table.
std::vector<Index> matching_columns(const Features& features, const Places& places, const std::string& path,
                                    std::string_view method) {
  std::vector<Index> columns;
  std::vector<std::string> missing;
  for (const std::string& name : features.names) {
    const auto found = places.find(name);
    if (found == places.end()) {
      missing.push_back(name);
    } else {
      columns.push_back(found->second);
    }
  }
  if (!missing.empty())
    throw Error(ErrorKind::InvalidData,
                {.who = std::string(method),
                 .problem = fmt::format("{} lacks {} that the model was fitted on: {}", path,
                                        missing.size() == 1 ? "a column" : "columns", listed(missing)),
                 .advice = "add them, or fit without them"});
  return columns;
}

void pick_columns(const std::vector<Index>& columns, Table& table) {
  std::visit(
      [&]<class T>(Array2<T>& values) {
        auto picked = Array2<T>::uninitialized(values.rows(), std::ssize(columns));
        for (Index i = 0; i < values.rows(); ++i)
          for (std::size_t j = 0; j < columns.size(); ++j) picked(i, static_cast<Index>(j)) = values(i, columns[j]);
        values = std::move(picked);
      },
      table.values);
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const Index column : columns) names.push_back(table.column_names[static_cast<std::size_t>(column)]);
  table.column_names = std::move(names);
}

/// Says which columns are left out, and whether the others were in another order.
void note_changes(const std::vector<Index>& columns, const std::vector<std::string>& names, const std::string& path,
                  Job& job) {
  std::vector<std::string> extra;
  for (std::size_t j = 0; j < names.size(); ++j)
    if (std::find(columns.begin(), columns.end(), static_cast<Index>(j)) == columns.end()) extra.push_back(names[j]);
  if (!extra.empty())
    job.note(fmt::format("{}: left out {} that the model does not know: {}", path,
                         extra.size() == 1 ? "a column" : "columns", listed(extra)));
  if (!std::is_sorted(columns.begin(), columns.end()))
    job.note(fmt::format("{}: the columns are in another order than in the training table; they were matched by name",
                         path));
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

Features features_of(const Table& table) {
  const PointsView points = table.view();
  return {.names = table.column_names, .means = column_means(points, column_ranges(points, {}), {})};
}

Table matched(Table table, const Model& model, const std::string& path, Job& job) {
  const Features& features = model.features();
  const auto own = places_of(features.names), given = places_of(table.column_names);
  if (own && given && !own->empty() && !given->empty()) {
    const std::vector<Index> columns = matching_columns(features, *given, path, model.method());
    note_changes(columns, table.column_names, path, job);
    pick_columns(columns, table);
  }
  if (table.view().cols() == std::ssize(features.means))
    if (const Index filled = fill_in(features.means, table); filled > 0)
      job.warn({{"values-imputed",
                 fmt::format("{}: {} missing value{} filled in with the mean of the training column", path, filled,
                             filled == 1 ? "" : "s"),
                 "use --na drop to leave the rows out instead"}});
  return table;
}

}  // namespace unroll::cli
