#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "core/memory.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

template <class T>
Array2<T> transposed_values(const Array2<T>& values) {
  auto result = Array2<T>::uninitialized(values.cols(), values.rows());
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) result(j, i) = values(i, j);
  return result;
}

}  // namespace

/// Names change places, too. The columns of a model are matched by the caller: those of the file are samples.
Table read_transposed(const std::string& path, const ReadOptions& options, const Run& run) {
  if (!options.label_column.empty() || !options.annotation.empty())
    throw Error(ErrorKind::InvalidOption,
                {.who = path,
                 .problem = "with transpose a label would be a row, which cannot be set apart",
                 .advice = "transpose the file itself, or give the labels in a file of their own",
                 .option = options.label_column.empty() ? "color_by" : "label_column"});
  ReadOptions as_is = options;
  as_is.transpose = false;
  as_is.trained = {};
  Table table = read_table(path, as_is, run);
  const auto cells = static_cast<double>(table.view().rows()) * static_cast<double>(table.view().cols());
  MemoryPlan(path)
      .add("the table, and again with rows and columns exchanged", 2, cells, sizeof(double))
      .require(run, "give it a larger memory budget, or transpose the file itself");
  std::visit([](auto& values) { values = transposed_values(values); }, table.values);
  std::swap(table.row_names, table.column_names);
  table.id_name.clear();
  table.file_columns = table.view().cols();
  table.places.resize(static_cast<std::size_t>(table.file_columns));
  std::iota(table.places.begin(), table.places.end(), Index{0});
  return table;
}

}  // namespace unroll
