#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/finite.h"
#include "data/csv_text.h"
#include "data/file_writer.h"
#include "data/npy_header.h"
#include "data/zip_writer.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

/// One .npy file: its header, and rows of bytes.
struct NpyFile {
  std::string name;
  std::string header;
  const char* data = nullptr;
  Index rows = 0;
  std::size_t row_bytes = 0;
  std::size_t stride_bytes = 0;
};

template <class T>
constexpr std::string_view kDescr = std::is_same_v<T, double>  ? "<f8"
                                    : std::is_same_v<T, float> ? "<f4"
                                                               : "<i8";

template <class T>
NpyFile matrix_file(const std::string& name, MatrixView<T> values) {
  return {.name = name + ".npy",
          .header = npy_header(kDescr<T>, {values.rows, values.cols}),
          .data = reinterpret_cast<const char*>(values.data),
          .rows = values.rows,
          .row_bytes = static_cast<std::size_t>(values.cols) * sizeof(T),
          .stride_bytes = static_cast<std::size_t>(values.stride) * sizeof(T)};
}

NpyFile flat_file(const std::string& name, std::string header, const void* data, std::size_t bytes) {
  return {.name = name + ".npy",
          .header = std::move(header),
          .data = static_cast<const char*>(data),
          .rows = 1,
          .row_bytes = bytes,
          .stride_bytes = bytes};
}

template <class Values>
NpyFile vector_file(const std::string& name, const Values& values) {
  using T = typename Values::value_type;
  return flat_file(name, npy_header(kDescr<T>, {static_cast<Index>(values.size())}), values.data(),
                   values.size() * sizeof(T));
}

void check_path(const std::string& path) {
  if (path == "-" || path.starts_with("/dev/")) return;
  constexpr std::string_view kEnding = ".npz";
  std::string end = path.substr(path.size() - std::min(path.size(), kEnding.size()));
  std::transform(end.begin(), end.end(), end.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (end != kEnding)
    throw Error(ErrorKind::InvalidOption, fmt::format("cannot write '{}': several arrays in one file are .npz", path));
}

void check_names(const std::vector<NpzArray>& arrays) {
  constexpr std::size_t kLongest = 1000;  // a zip has 16 bits for the length of a name
  std::vector<std::string> names;
  names.reserve(arrays.size());
  for (const NpzArray& array : arrays) names.push_back(array.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error(ErrorKind::InvalidOption,
                {.who = "write_npz", .problem = fmt::format("two arrays called {}", quoted_for_message(*twice))});
  for (const std::string& name : names)
    if (name.empty() || name.size() > kLongest)
      throw Error(ErrorKind::InvalidOption, {.who = "write_npz",
                                             .problem = fmt::format("the name {} should have 1 to {} characters",
                                                                    quoted_for_message(name), kLongest)});
}

/// Row and column are counted from 1.
[[noreturn]] void fail_not_finite(const std::string& path, std::string_view what, Index row, Index col) {
  throw Error(ErrorKind::InvalidData, fmt::format("cannot write '{}': {} at row {}, column {}", path, what, row, col),
              "NaN and infinity are never written silently");
}

void check_finite(const std::string& path, const std::string& array, PointsView values) {
  if (const auto bad = first_non_finite(values))
    fail_not_finite(path, fmt::format("{} in {}", non_finite_name(values, *bad), quoted_for_message(array)),
                    bad->row + 1, bad->col + 1);
}

void write_files(const std::string& path, const std::vector<NpyFile>& arrays) {
  FileWriter file(path, false);
  ZipWriter zip(file);
  for (const NpyFile& array : arrays)
    zip.add(array.name, [&](const ZipWriter::Sink& sink) {
      sink(array.header.data(), array.header.size());
      const char* row = array.data;
      for (Index i = 0; i < array.rows && array.row_bytes > 0; ++i, row += array.stride_bytes)
        sink(row, array.row_bytes);
    });
  zip.finish();
  file.commit();
}

}  // namespace

void write_npz(const std::string& path, const std::vector<NpzArray>& arrays) {
  check_path(path);
  check_names(arrays);
  std::vector<NpyFile> files;
  for (const NpzArray& array : arrays)
    std::visit(
        [&](auto view) {
          if constexpr (!std::is_same_v<decltype(view), MatrixView<Index>>) check_finite(path, array.name, view);
          files.push_back(matrix_file(array.name, view));
        },
        array.values);
  write_files(path, files);
}

void write_sparse_npz(const std::string& path, const SparseMatrix& matrix) {
  check_path(path);
  const PointsView entries(matrix.values.data(), 1, static_cast<Index>(matrix.values.size()));
  if (const auto bad = first_non_finite(entries)) {
    const auto behind = std::upper_bound(matrix.offsets.begin(), matrix.offsets.end(), bad->col);
    fail_not_finite(path, non_finite_name(entries, *bad), behind - matrix.offsets.begin(),
                    matrix.columns[static_cast<std::size_t>(bad->col)] + 1);
  }
  const std::array<Index, 2> shape{matrix.rows, matrix.cols};
  constexpr std::string_view kFormat = "csr";
  write_files(path, {vector_file("indices", matrix.columns), vector_file("indptr", matrix.offsets),
                     flat_file("format", npy_header("|S3", {}), kFormat.data(), kFormat.size()),
                     vector_file("shape", shape), vector_file("data", matrix.values)});
}

}  // namespace unroll
