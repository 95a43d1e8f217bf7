#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/finite.h"
#include "data/file_writer.h"
#include "data/npy_header.h"
#include "data/text_writer.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

struct OutputFormat {
  bool npy = false;
  char delimiter = ',';
  bool gzip = false;
};

std::string lowercase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// The format to write, from the name alone. Standard output and devices have no extension and get csv.
OutputFormat format_of(const std::string& path) {
  const std::string name = lowercase(path);
  std::string_view rest = name;
  OutputFormat format{.gzip = rest.ends_with(".gz")};
  if (format.gzip) rest.remove_suffix(3);
  format.npy = rest.ends_with(".npy");
  if (rest.ends_with(".tsv") || rest.ends_with(".txt")) format.delimiter = '\t';
  if (format.npy || format.delimiter == '\t' || rest.ends_with(".csv")) return format;
  if (path == "-" || path.starts_with("/dev/")) return {};
  throw Error(ErrorKind::InvalidOption,
              {.problem = fmt::format("cannot write '{}': its extension names no known format", path),
               .advice = "use .npy, .csv, .tsv or .txt, each also with .gz, or - for csv on standard output",
               .option = "output"});
}

void check_finite(const std::string& path, PointsView values) {
  if (const auto bad = first_non_finite(values))
    throw Error(ErrorKind::InvalidData,
                fmt::format("cannot write '{}': {} at row {}, column {}", path, non_finite_name(values, *bad),
                            bad->row + 1, bad->col + 1),
                "NaN and infinity are never written silently");
}

void check_count(std::string_view what, std::size_t names, Index count, std::string_view of) {
  if (names != 0 && static_cast<Index>(names) != count)
    throw Error(ErrorKind::InvalidOption,
                {.who = "write_table", .problem = fmt::format("{} {} for {} {}", names, what, count, of)});
}

void write_npy(FileWriter& file, PointsView values) {
  const std::string header = npy_header(values.is_float() ? "<f4" : "<f8", {values.rows(), values.cols()});
  file.write(header.data(), header.size());
  values.visit([&](auto view) {
    const auto row_bytes = static_cast<std::size_t>(view.cols) * sizeof *view.data;
    for (Index i = 0; i < view.rows; ++i) file.write(view.row(i), row_bytes);
  });
}

void write_text(FileWriter& file, PointsView values, const TableNames& names, char delimiter) {
  TextWriter text(file, delimiter);
  if (!names.columns.empty()) {
    if (!names.rows.empty()) text.add(names.row_header);
    for (const auto& name : names.columns) text.add(name);
    if (!names.labels.empty()) text.add(names.label_header);
    for (const auto& column : names.more_labels) text.add(column.name);
    text.end_line();
  }
  values.visit([&](auto view) {
    for (Index i = 0; i < view.rows; ++i) {
      if (!names.rows.empty()) text.add(names.rows[static_cast<std::size_t>(i)]);
      for (Index j = 0; j < view.cols; ++j) text.add(view(i, j));
      if (!names.labels.empty()) text.add(names.labels[static_cast<std::size_t>(i)]);
      for (const auto& column : names.more_labels) text.add(column.values[static_cast<std::size_t>(i)]);
      text.end_line();
    }
  });
  text.flush();
}

}  // namespace

TableFormat table_format(const std::string& path) { return format_of(path).npy ? TableFormat::Npy : TableFormat::Text; }

void write_table(const std::string& path, PointsView values, const TableNames& names) {
  const OutputFormat format = format_of(path);
  check_count("column names", names.columns.size(), values.cols(), "columns");
  check_count("row names", names.rows.size(), values.rows(), "rows");
  check_count("labels", names.labels.size(), values.rows(), "rows");
  for (const auto& column : names.more_labels) check_count("labels", column.values.size(), values.rows(), "rows");
  check_finite(path, values);
  if (!format.npy && values.cols() == 0)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("cannot write '{}': a table without columns cannot be told from blank lines", path),
                "use .npy");
  FileWriter file(path, format.gzip);
  if (format.npy) {
    write_npy(file, values);  // npy has no place for names
  } else {
    write_text(file, values, names, format.delimiter);
  }
  file.commit();
}

void write_column(const std::string& path, const std::vector<std::string>& values, const std::string& name) {
  const OutputFormat format = format_of(path);
  if (format.npy)
    throw Error(ErrorKind::InvalidOption, fmt::format("cannot write '{}': npy files hold numbers", path),
                "use .csv, .tsv or .txt for text");
  FileWriter file(path, format.gzip);
  TextWriter text(file, format.delimiter);
  if (!name.empty()) {
    text.add(name);
    text.end_line();
  }
  for (const auto& value : values) {
    text.add(value);
    text.end_line();
  }
  text.flush();
  file.commit();
}

}  // namespace unroll
