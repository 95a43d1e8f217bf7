#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

/// The model file: named, typed sections, little-endian, checksummed; data only, never code. src/core/archive.cpp
/// describes the bytes.
namespace unroll {

class ArchiveWriter {
 public:
  void put(std::string_view name, std::int64_t value);
  void put(std::string_view name, double value);
  void put(std::string_view name, std::string_view text);
  void put(std::string_view name, const std::vector<double>& values);
  void put(std::string_view name, const std::vector<std::int64_t>& values);
  void put(std::string_view name, MatrixView<double> matrix);
  void put(std::string_view name, MatrixView<float> matrix);

  /// The finished file.
  std::vector<std::byte> bytes() const;

 private:
  friend class ArchiveReader;
  struct Section;
  // The implementation's own members come here.
};

/// A whole archive in memory, checked before anything is handed out: sizes against the file, checksums, types.
/// Every error is InvalidData and names the section.
class ArchiveReader {
 public:
  /// `origin` names the file in messages.
  ArchiveReader(std::vector<std::byte> bytes, std::string origin);

  bool has(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;  ///< finite
  std::string text(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;  ///< finite
  std::vector<std::int64_t> integers(std::string_view name) const;
  Array2<double> matrix(std::string_view name) const;  ///< finite
  Array2<float> matrix_f32(std::string_view name) const;

  /// Throws InvalidData "<origin>: section '<name>': <what>".
  [[noreturn]] void fail(std::string_view name, std::string_view what) const;
};

}  // namespace unroll
