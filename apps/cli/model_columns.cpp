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
std::string quoted_names(const std::vector<std::string>& names) {
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
                                        missing.size() == 1 ? "a column" : "columns", quoted_names(missing)),
                 .advice = "add them, or fit without them"});
  return columns;
}

/// Says which columns the reader has left out.
void note_unknown(const Table& table, const std::string& path, Job& job) {
  if (table.unknown.empty()) return;
  const std::string_view noun = table.unknown.size() == 1 ? "a column" : "columns";
  if (table.column_names.empty()) {
    job.note(fmt::format("{}: left out {}, as in the training table: {}", path, noun, joined(table.unknown)));
  } else {
    job.note(fmt::format("{}: left out {} that the model does not know: {}", path, noun, quoted_names(table.unknown)));
  }
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
  Features features{.names = table.column_names, .means = column_means(points, column_ranges(points, {}), {})};
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

Table matched(Table table, const Model& model, const std::string& path, Job& job) {
  const Features& features = model.features();
  note_unknown(table, path, job);
  const auto own = places_of(features.names), given = places_of(table.column_names);
  if (own && given && !own->empty() && !given->empty()) {
    const std::vector<Index> columns = matching_columns(features, *given, path, model.method());
    if (!std::is_sorted(columns.begin(), columns.end()))
      job.note(fmt::format("{}: the columns are in another order than in the training table; they were matched by name",
                           path));
    keep_columns(table, columns);
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
