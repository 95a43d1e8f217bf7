#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/types.h"

/// The model file: named, typed sections, little-endian, checksummed; data only, never code. src/core/archive.cpp
/// describes the bytes.
namespace unroll {

/// What a section holds. The numbers are in the file: new ones may be added, none may change.
enum class SectionType : std::uint32_t {
  Integer = 1,
  Real = 2,
  Text = 3,
  Integers = 4,
  Reals = 5,
  Matrix = 6,
  MatrixF32 = 7,
};

/// Collects sections and writes them in the order in which they were put. Names consist of a-z, 0-9, '.', '_' and '-',
/// at most 56 characters, and are unique; floating-point numbers are finite. Anything else is Error(Internal).
class ArchiveWriter {
 public:
  void put(std::string_view name, std::int64_t value);
  void put(std::string_view name, double value);
  void put(std::string_view name, std::string_view text);
  void put(std::string_view name, const std::vector<double>& values);
  void put(std::string_view name, const std::vector<std::int64_t>& values);
  void put(std::string_view name, MatrixView<double> matrix);
  void put(std::string_view name, MatrixView<float> matrix);

  /// The finished file, in consecutive pieces.
  void write(const std::function<void(const void* data, std::size_t size)>& sink) const;
  /// The finished file.
  std::vector<std::byte> bytes() const;

 private:
  struct Section {
    std::string name;
    SectionType type;
    std::uint64_t rows;
    std::uint64_t cols;
    std::vector<std::byte> payload;
  };
  template <class T>
  void add(std::string_view name, SectionType type, MatrixView<T> values);

  std::vector<Section> sections_;
};

/// A whole archive in memory, checked before anything is returned: sizes against the file, checksums, types.
/// Every error is InvalidData and names the section.
class ArchiveReader {
 public:
  /// `origin` names the file in messages.
  ArchiveReader(std::vector<std::byte> bytes, std::string origin);

  bool has(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;    ///< an integer that is 0 or 1
  double real(std::string_view name) const;  ///< finite
  std::string text(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;  ///< finite
  std::vector<std::int64_t> integers(std::string_view name) const;
  Array2<double> matrix(std::string_view name) const;     ///< finite
  Array2<float> matrix_f32(std::string_view name) const;  ///< finite
  /// The shape of a matrix, without its numbers.
  Index rows(std::string_view name) const;
  Index cols(std::string_view name) const;

  /// Throws InvalidData "<origin>: section '<name>': <what>".
  [[noreturn]] void fail(std::string_view name, std::string_view what) const;

 private:
  struct Section {
    SectionType type;
    Index rows;
    Index cols;
    std::size_t offset;
    std::size_t length;
  };
  [[noreturn]] void fail(std::string_view what) const;
  std::size_t check_header() const;
  void read_table(std::size_t count);
  void check_zeros(std::string_view name, std::size_t begin, std::size_t end) const;
  const Section& find(std::string_view name, SectionType type) const;
  template <class T>
  Array2<T> values(std::string_view name, SectionType type) const;

  std::vector<std::byte> bytes_;
  std::string origin_;
  std::map<std::string, Section, std::less<>> sections_;
};

/// The value of a named enum.
template <class E>
E load_choice(const ArchiveReader& archive, std::string_view name) {
  const std::string text = archive.text(name);
  for (const auto& entry : enum_names(E{}))
    if (entry.name == text) return entry.value;
  archive.fail(name, "'" + text + "' is none of the choices");
}

}  // namespace unroll
