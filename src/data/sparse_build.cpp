#include "data/sparse_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/memory.h"
#include "data/table_reader.h"

namespace unroll {

namespace {

/// Sorts the entries and adds up those of one place; returns how many were added to another.
Index sort_and_sum(SparseMatrix& matrix) {
  std::vector<Index>& columns = matrix.columns;
  std::vector<double>& values = matrix.values;
  std::vector<std::pair<Index, double>> row;
  std::size_t out = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    const auto end = static_cast<std::size_t>(matrix.offsets[i + 1]);
    row.clear();
    for (std::size_t at = begin; at < end; ++at) row.emplace_back(columns[at], values[at]);
    begin = end;
    const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(row.begin(), row.end(), before)) std::stable_sort(row.begin(), row.end(), before);
    const std::size_t first = out;
    for (const auto& [column, value] : row) {
      if (out > first && columns[out - 1] == column) {
        values[out - 1] += value;
        continue;
      }
      columns[out] = column;
      values[out++] = value;
    }
    matrix.offsets[i + 1] = static_cast<Index>(out);
  }
  const auto summed = static_cast<Index>(columns.size() - out);
  columns.resize(out);
  values.resize(out);
  return summed;
}

constexpr std::size_t kEntryBytes = sizeof(Index) + sizeof(double);
constexpr std::string_view kWayOut = "give it a larger memory budget, or a matrix of fewer rows";

/// A counting sort.
SparseMatrix by_rows(const Triplets& entries) {
  SparseMatrix matrix{.rows = entries.rows, .cols = entries.cols};
  matrix.offsets.assign(static_cast<std::size_t>(entries.rows) + 1, 0);
  matrix.columns.resize(entries.value.size());
  matrix.values.resize(entries.value.size());
  // offsets[i + 1] first counts row i, then is its start, and moves to its end while the row is filled.
  for (const Index row : entries.row) ++matrix.offsets[static_cast<std::size_t>(row) + 1];
  Index start = 0;
  for (std::size_t i = 1; i < matrix.offsets.size(); ++i) start += std::exchange(matrix.offsets[i], start);
  for (std::size_t i = 0; i < entries.value.size(); ++i) {
    const auto to = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(entries.row[i]) + 1]++);
    matrix.columns[to] = entries.col[i];
    matrix.values[to] = entries.value[i];
  }
  return matrix;
}

}  // namespace

SparseTable sparse_table(SparseMatrix matrix, const SparseOrigin& origin, const Run& run) {
  MemoryPlan(origin.file)
      .add("the entries, and as many to sort the longest row", 3 * static_cast<double>(matrix.values.size()), 1,
           kEntryBytes)
      .add("the starts of rows", static_cast<double>(matrix.rows) + 1, 1, sizeof(Index))
      .add("the file", 1, static_cast<double>(origin.bytes_held), 1)
      .require(run, kWayOut);
  SparseTable table;
  table.values = std::move(matrix);
  if (const Index summed = sort_and_sum(table.values); summed > 0)
    table.warnings.push_back({"duplicates-summed",
                              fmt::format("{}: {} entr{} added to another of the same row and column", origin.file,
                                          summed, summed == 1 ? "y is" : "ies are"),
                              "remove them if each should stand for itself"});
  return table;
}

SparseTable sparse_table(const Triplets& entries, const SparseOrigin& origin, const Run& run) {
  const std::size_t bytes = entries.value.size() * (sizeof(Index) + kEntryBytes);
  MemoryPlan(origin.file)
      .add("the entries", 1, static_cast<double>(bytes), 1)
      .add("the entries by rows", static_cast<double>(entries.value.size()), 1, kEntryBytes)
      .add("the starts of rows", static_cast<double>(entries.rows) + 1, 1, sizeof(Index))
      .add("the file", 1, static_cast<double>(origin.bytes_held), 1)
      .require(run, kWayOut);
  return sparse_table(by_rows(entries), {origin.file, origin.bytes_held + bytes}, run);
}

Table made_dense(const SparseTable& sparse, const std::string& name, const Run& run) {
  const SparseMatrix& matrix = sparse.values;
  MemoryPlan(name)
      .add("the table with its zeros", static_cast<double>(matrix.rows), static_cast<double>(matrix.cols),
           sizeof(double))
      .add("the sparse matrix", static_cast<double>(matrix.values.size()), 1, sizeof(Index) + sizeof(double))
      .add("the starts of rows", static_cast<double>(matrix.rows) + 1, 1, sizeof(Index))
      .require(run, "give it a larger memory budget, or a sparse matrix of fewer columns");
  Array2<double> values(matrix.rows, matrix.cols);
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (Index at = matrix.offsets[row]; at < matrix.offsets[row + 1]; ++at)
      values(i, matrix.columns[static_cast<std::size_t>(at)]) = matrix.values[static_cast<std::size_t>(at)];
  }
  Table table;
  table.values = std::move(values);
  table.format = sparse.format;
  table.warnings = sparse.warnings;
  return table;
}

}  // namespace unroll
