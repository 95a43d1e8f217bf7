#pragma once
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/data/table.h"

namespace unroll::testing_support {

/// A file of the test, gone at its end.
class TempFile {
 public:
  TempFile(std::string_view name, std::string_view content) : TempFile(name) { write(content); }
  explicit TempFile(std::string_view name) {
    static std::atomic<int> count = 0;
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("unroll_read_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / name).string();
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// As a new file: to empty and fill an old one makes some file systems wait for the disk.
  void write(std::string_view content) const {
    std::filesystem::remove(path_);
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

inline Table read_bytes(std::string_view name, std::string_view content, const ReadOptions& options = {},
                        const unroll::Run& run = {}) {
  const TempFile file(name, content);
  return read_table(file.path(), options, run);
}

inline Index rows_of(const Table& table) { return table.view().rows(); }
inline Index cols_of(const Table& table) { return table.view().cols(); }

/// What an error says, without the folder of the test's file.
struct Failure {
  bool thrown = false;
  ErrorKind kind = ErrorKind::Internal;
  std::string message = "no error";

  bool says(std::string_view part) const { return message.find(part) != std::string::npos; }
};
template <class F>
Failure failure_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return {true, error.kind(), error.what()};
  }
  return {};
}

inline Failure failure_of_bytes(std::string_view name, std::string_view content, const ReadOptions& options = {},
                                const unroll::Run& run = {}) {
  const TempFile file(name, content);
  Failure failure = failure_of([&] { read_table(file.path(), options, run); });
  const std::string folder = file.path().substr(0, file.path().size() - name.size());
  for (std::size_t at = 0; (at = failure.message.find(folder)) != std::string::npos;)
    failure.message.erase(at, folder.size());
  return failure;
}

inline std::vector<double> values_of(const Table& table) {
  std::vector<double> values;
  table.view().visit([&](auto view) {
    for (Index i = 0; i < view.rows; ++i)
      for (Index j = 0; j < view.cols; ++j) values.push_back(static_cast<double>(view(i, j)));
  });
  return values;
}

inline bool has_warning(const Table& table, std::string_view code) {
  return std::any_of(table.warnings.begin(), table.warnings.end(), [&](const Warning& w) { return w.code == code; });
}

inline std::string gzipped(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  std::string copy(content);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// The bytes of numbers, least significant first, or reversed.
template <class T>
std::string bytes_of(const std::vector<T>& numbers, bool big_endian = false) {
  std::string bytes;
  for (const T number : numbers) {
    std::string one(reinterpret_cast<const char*>(&number), sizeof number);
    if (big_endian) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

/// An .npy file as NumPy writes it: the header padded to a multiple of 64.
inline std::string npy_with_header(std::string header, std::string_view data, int major = 1) {
  const std::size_t prefix = major == 1 ? 10 : 12;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  for (std::size_t i = 0; i < prefix - 8; ++i) file += static_cast<char>(header.size() >> (8 * i));
  file += header;
  file += data;
  return file;
}
inline std::string npy(std::string_view type, std::string_view shape, std::string_view data, bool fortran = false,
                       int major = 1) {
  std::string header = "{'descr': '";
  header += type;
  header += fortran ? "', 'fortran_order': True, 'shape': " : "', 'fortran_order': False, 'shape': ";
  header += shape;
  header += ", }";
  return npy_with_header(header, data, major);
}

}  // namespace unroll::testing_support
