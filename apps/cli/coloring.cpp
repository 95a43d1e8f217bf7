#include "coloring.h"

#include <filesystem>

#include "ground_truth.h"

namespace unroll::cli {

Coloring coloring_of(std::string name, const std::vector<std::string>& words) {
  if (auto numbers = measured_labels(words)) return {.name = std::move(name), .numbers = std::move(*numbers)};
  return {.name = std::move(name), .classes = words};
}

bool is_color_file(const std::string& color_by) {
  std::error_code ignored;
  return !color_by.empty() && std::filesystem::exists(FileColumn(color_by).file, ignored);
}

Coloring read_coloring(Job& job, const std::string& color_by, const std::string& path, const Table& table) {
  const PointsView values = table.view();
  const auto or_number = [&](const std::string& name) { return name.empty() ? "column " + color_by : name; };
  if (color_by.empty()) return coloring_of(table.label_name.empty() ? "label" : table.label_name, table.labels);
  if (is_color_file(color_by)) {
    const std::vector<std::string> words = job.read_words(color_by, values.rows());
    check_same_rows(job.report().command, path, values.rows(), color_by, std::ssize(words));
    const FileColumn from(color_by);
    return coloring_of(from.column.empty() ? std::filesystem::path(color_by).stem().string() : from.column, words);
  }
  if (!table.annotated_feature) return coloring_of(or_number(table.annotation.name), table.annotation.values);
  const auto column = static_cast<std::size_t>(*table.annotated_feature);
  Coloring coloring{.name = or_number(table.column_names.empty() ? "" : table.column_names[column])};
  values.visit([&](auto x) {
    for (Index i = 0; i < x.rows; ++i) coloring.numbers.push_back(static_cast<double>(x(i, *table.annotated_feature)));
  });
  return coloring;
}

}  // namespace unroll::cli
