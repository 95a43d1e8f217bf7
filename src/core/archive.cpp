#include "core/archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include "core/finite.h"
#include "unroll/core/error.h"

// The bytes of a model file. All numbers are little-endian; floating-point numbers are IEEE 754.
//
//   offset  size  header
//        0     8  magic: 89 'u' 'n' 'r' 0D 0A 1A 0A (as PNG's: a transfer that changes line ends or strips the eighth
//                 bit damages it)
//        8     4  format version, 1
//       12     4  byte order mark, 0x01020304
//       16     8  size of the whole file
//       24     4  number of sections
//       28     4  CRC-32 of bytes 0..27 and of the table
//       32        table: one entry per section, in the order of the sections
//
//   offset  size  entry
//        0    56  name: a-z 0-9 . _ -, filled up with zeros
//       56     4  type, see SectionType
//       60     4  CRC-32 of the payload
//       64     8  rows: of a matrix; otherwise the number of characters or values, 1 for a single number
//       72     8  columns: 1 for what is not a matrix
//       80     8  offset of the payload in the file
//       88     8  length of the payload in bytes: rows * columns * size of a value
//
// Payloads follow, each at the next multiple of 64, row-major, with zeros between; the file ends with the last payload.
// A reader therefore knows every offset beforehand and accepts no other: there is one file for one content, and no bit
// of it can change unnoticed.
namespace unroll {
namespace {

static_assert(std::endian::native == std::endian::little, "the codec copies numbers as they are in memory");

constexpr std::array<unsigned char, 8> kMagic{0x89, 'u', 'n', 'r', '\r', '\n', 0x1A, '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint32_t kByteOrderReversed = 0x04030201;
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLongestName = 56;

struct Header {
  std::array<unsigned char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t size = 0;
  std::uint32_t sections = 0;
  std::uint32_t checksum = 0;
};
static_assert(sizeof(Header) == 32 && std::has_unique_object_representations_v<Header>);

struct Entry {
  std::array<char, kLongestName> name{};
  std::uint32_t type = 0;
  std::uint32_t checksum = 0;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};
static_assert(sizeof(Entry) == 96 && std::has_unique_object_representations_v<Entry>);

struct TypeTraits {
  SectionType type;
  std::size_t bytes;  // of one value
  bool single_row;
  bool single_column;
  std::string_view name;
};
constexpr std::array kTypes{
    TypeTraits{SectionType::Integer, 8, true, true, "an integer"},
    TypeTraits{SectionType::Real, 8, true, true, "a real number"},
    TypeTraits{SectionType::Text, 1, false, true, "text"},
    TypeTraits{SectionType::Integers, 8, false, true, "a list of integers"},
    TypeTraits{SectionType::Reals, 8, false, true, "a list of real numbers"},
    TypeTraits{SectionType::Matrix, 8, false, false, "a matrix"},
    TypeTraits{SectionType::MatrixF32, 4, false, false, "a single-precision matrix"},
};

const TypeTraits* find_type(std::uint32_t code) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const auto& traits) { return static_cast<std::uint32_t>(traits.type) == code; });
  return found == kTypes.end() ? nullptr : found;
}

std::string_view type_name(SectionType type) { return find_type(static_cast<std::uint32_t>(type))->name; }

std::size_t aligned(std::size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

std::uint32_t checksum(const void* data, std::size_t size, std::uint32_t so_far = 0) {
  if (size == 0) return so_far;  // crc32_z would reset the checksum
  return static_cast<std::uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(data), size));
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

/// The name without its padding of zeros; empty if anything else follows it.
std::string_view name_in(const Entry& entry) {
  const std::string_view whole(entry.name.data(), entry.name.size());
  const std::string_view name = whole.substr(0, whole.find('\0'));
  return whole.find_first_not_of('\0', name.size()) == std::string_view::npos ? name : std::string_view();
}

/// The length of the values that an entry announces; nothing if its type cannot have that shape.
std::optional<std::uint64_t> payload_length(const Entry& entry, const TypeTraits& traits) {
  // The size of the file limits all shapes but empty ones; these are limited here, since a caller may loop over their
  // rows.
  constexpr std::uint64_t kMostSides = std::uint64_t{1} << 32U;
  std::uint64_t values = 0;
  std::uint64_t length = 0;
  if (entry.length == 0 && (entry.rows > kMostSides || entry.cols > kMostSides)) return std::nullopt;
  if ((traits.single_row && entry.rows != 1) || (traits.single_column && entry.cols != 1)) return std::nullopt;
  if (__builtin_mul_overflow(entry.rows, entry.cols, &values)) return std::nullopt;
  if (__builtin_mul_overflow(values, std::uint64_t{traits.bytes}, &length)) return std::nullopt;
  return length;
}

}  // namespace

// ---- writing

template <class T>
void ArchiveWriter::add(std::string_view name, SectionType type, MatrixView<T> values) {
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorKind::Internal, fmt::format("model file: section '{}': {}", name, what));
  };
  if (!is_name(name)) refuse("not a name for a section");
  if (std::any_of(sections_.begin(), sections_.end(), [&](const Section& section) { return section.name == name; }))
    refuse("put twice");
  if constexpr (std::is_floating_point_v<T>)
    if (first_non_finite(values)) refuse("not finite");

  const Index pieces = values.stride == values.cols ? 1 : values.rows;  // contiguous pieces of memory
  const auto size = static_cast<std::size_t>(checked_size(values.rows, values.cols, sizeof(T))) * sizeof(T);
  std::vector<std::byte> payload;
  payload.reserve(size);
  for (Index i = 0; i < pieces; ++i) {
    const auto* piece = reinterpret_cast<const std::byte*>(values.row(i));
    payload.insert(payload.end(), piece, piece + size / static_cast<std::size_t>(pieces));
  }
  sections_.push_back({std::string(name), type, static_cast<std::uint64_t>(values.rows),
                       static_cast<std::uint64_t>(values.cols), std::move(payload)});
}

void ArchiveWriter::put(std::string_view name, std::int64_t value) {
  add<std::int64_t>(name, SectionType::Integer, {&value, 1, 1, 1});
}
void ArchiveWriter::put(std::string_view name, double value) {
  add<double>(name, SectionType::Real, {&value, 1, 1, 1});
}
void ArchiveWriter::put(std::string_view name, std::string_view text) {
  add<char>(name, SectionType::Text, {text.data(), static_cast<Index>(text.size()), 1, 1});
}
void ArchiveWriter::put(std::string_view name, const std::vector<double>& values) {
  add<double>(name, SectionType::Reals, {values.data(), static_cast<Index>(values.size()), 1, 1});
}
void ArchiveWriter::put(std::string_view name, const std::vector<std::int64_t>& values) {
  add<std::int64_t>(name, SectionType::Integers, {values.data(), static_cast<Index>(values.size()), 1, 1});
}
void ArchiveWriter::put(std::string_view name, MatrixView<double> matrix) { add(name, SectionType::Matrix, matrix); }
void ArchiveWriter::put(std::string_view name, MatrixView<float> matrix) { add(name, SectionType::MatrixF32, matrix); }

void ArchiveWriter::write(const std::function<void(const void*, std::size_t)>& sink) const {
  std::vector<Entry> table;
  std::size_t end = sizeof(Header) + sections_.size() * sizeof(Entry);
  for (const auto& section : sections_) {
    Entry entry{.type = static_cast<std::uint32_t>(section.type),
                .checksum = checksum(section.payload.data(), section.payload.size()),
                .rows = section.rows,
                .cols = section.cols,
                .offset = aligned(end),
                .length = section.payload.size()};
    section.name.copy(entry.name.data(), kLongestName);
    end = entry.offset + entry.length;
    table.push_back(entry);
  }
  const std::size_t table_bytes = table.size() * sizeof(Entry);
  Header header{.size = end, .sections = static_cast<std::uint32_t>(table.size())};
  header.checksum = checksum(table.data(), table_bytes, checksum(&header, offsetof(Header, checksum)));

  constexpr std::array<std::byte, kAlignment> kZeros{};
  sink(&header, sizeof header);
  sink(table.data(), table_bytes);
  end = sizeof header + table_bytes;
  for (const auto& section : sections_) {
    sink(kZeros.data(), aligned(end) - end);
    sink(section.payload.data(), section.payload.size());
    end = aligned(end) + section.payload.size();
  }
}

std::vector<std::byte> ArchiveWriter::bytes() const {
  std::vector<std::byte> all;
  write([&](const void* data, std::size_t size) {
    const auto* piece = static_cast<const std::byte*>(data);
    all.insert(all.end(), piece, piece + size);
  });
  return all;
}

// ---- reading

ArchiveReader::ArchiveReader(std::vector<std::byte> bytes, std::string origin)
    : bytes_(std::move(bytes)), origin_(std::move(origin)) {
  read_table(check_header());
}

void ArchiveReader::fail(std::string_view name, std::string_view what) const {
  throw Error(ErrorKind::InvalidData, fmt::format("{}: section '{}': {}", origin_, name, what));
}

void ArchiveReader::fail(std::string_view what) const {
  const bool is_broken = what.starts_with("damaged: ") || what.starts_with("truncated: ");
  throw Error(ErrorKind::InvalidData, fmt::format("{}: {}", origin_, what),
              is_broken ? "copy the file again, or save the model again" : "");
}

/// Checks the file as a whole; returns the number of sections, whose entries fit in the file.
std::size_t ArchiveReader::check_header() const {
  constexpr std::size_t kTelling = 4;  // bytes of the magic that a transfer as text does not change
  const std::size_t size = bytes_.size();
  if (size == 0) fail("the file is empty");
  if (std::memcmp(bytes_.data(), kMagic.data(), std::min(size, kTelling)) != 0)
    throw Error(ErrorKind::InvalidData, fmt::format("{}: not an unroll model file", origin_),
                "name a file that was saved as a model");
  if (std::memcmp(bytes_.data(), kMagic.data(), std::min(size, kMagic.size())) != 0)
    fail("damaged in its first bytes, as by a transfer as text; transfer it as binary data");
  if (size < sizeof(Header)) fail(fmt::format("truncated: {} bytes are not even a header", size));

  Header header;
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.byte_order == kByteOrderReversed) fail("written on a big-endian machine, which this version cannot read");
  if (header.byte_order != kByteOrder) fail("damaged: its byte order mark is wrong");
  if (header.version > kVersion)
    fail(fmt::format("written by a newer unroll (format {}, this one reads up to {})", header.version, kVersion));
  if (header.version == 0) fail("damaged: its format version is 0");
  if (size < header.size) fail(fmt::format("truncated: {} of {} bytes", size, header.size));
  if (size > header.size) fail(fmt::format("damaged: {} bytes, but it should have {}", size, header.size));

  if (header.sections > (size - sizeof header) / sizeof(Entry))
    fail(fmt::format("damaged: a table of {} sections does not fit {} bytes", header.sections, size));
  const std::uint32_t of_header = checksum(&header, offsetof(Header, checksum));
  if (checksum(bytes_.data() + sizeof header, header.sections * sizeof(Entry), of_header) != header.checksum)
    fail("damaged: the checksum of its section table is wrong");
  return header.sections;
}

void ArchiveReader::read_table(std::size_t count) {
  std::size_t end = sizeof(Header) + count * sizeof(Entry);
  for (std::size_t i = 0; i < count; ++i) {
    Entry entry;
    std::memcpy(&entry, bytes_.data() + sizeof(Header) + i * sizeof entry, sizeof entry);
    const std::string name(name_in(entry));
    if (!is_name(name)) fail(fmt::format("damaged: the name of section {} is not a name", i + 1));
    if (has(name)) fail(name, "appears twice");

    const TypeTraits* traits = find_type(entry.type);
    if (traits == nullptr) fail(name, fmt::format("unknown type {}", entry.type));
    const auto length = payload_length(entry, *traits);
    if (length != entry.length)
      fail(name,
           fmt::format("{} x {} values in {} bytes are not {}", entry.rows, entry.cols, entry.length, traits->name));
    const std::size_t start = aligned(end);
    if (entry.offset != start) fail(name, fmt::format("starts at byte {}, should be {}", entry.offset, start));
    if (start > bytes_.size() || entry.length > bytes_.size() - start)
      fail(name, fmt::format("{} bytes from byte {} on pass the end of the file", entry.length, start));
    check_zeros(name, end, start);
    if (checksum(bytes_.data() + start, entry.length) != entry.checksum) fail(name, "damaged: its checksum is wrong");
    end = start + entry.length;
    sections_.emplace(name, Section{traits->type, static_cast<Index>(entry.rows), static_cast<Index>(entry.cols), start,
                                    entry.length});
  }
  if (end != bytes_.size()) fail(fmt::format("damaged: {} bytes after the last section", bytes_.size() - end));
}

void ArchiveReader::check_zeros(std::string_view name, std::size_t begin, std::size_t end) const {
  const auto* data = bytes_.data();
  if (std::any_of(data + begin, data + end, [](std::byte b) { return b != std::byte{0}; }))
    fail(name, "damaged: the bytes before it are not zero");
}

bool ArchiveReader::has(std::string_view name) const { return sections_.find(name) != sections_.end(); }

const ArchiveReader::Section& ArchiveReader::find(std::string_view name, SectionType type) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) fail(name, "missing");
  const Section& section = found->second;
  if (section.type != type)
    fail(name, fmt::format("holds {}, should hold {}", type_name(section.type), type_name(type)));
  return section;
}

template <class T>
Array2<T> ArchiveReader::values(std::string_view name, SectionType type) const {
  const Section& section = find(name, type);
  auto array = Array2<T>::uninitialized(section.rows, section.cols);
  if (section.length > 0) std::memcpy(array.data(), bytes_.data() + section.offset, section.length);
  if constexpr (std::is_floating_point_v<T>)
    if (const auto bad = first_non_finite(array))
      fail(name, fmt::format("{} at row {}, column {}", non_finite_name(array, *bad), bad->row + 1, bad->col + 1));
  return array;
}

std::int64_t ArchiveReader::integer(std::string_view name) const {
  return values<std::int64_t>(name, SectionType::Integer)(0, 0);
}
bool ArchiveReader::flag(std::string_view name) const {
  const std::int64_t value = integer(name);
  if (value != 0 && value != 1) fail(name, fmt::format("{} is neither 0 nor 1", value));
  return value == 1;
}

double ArchiveReader::real(std::string_view name) const { return values<double>(name, SectionType::Real)(0, 0); }

std::string ArchiveReader::text(std::string_view name) const {
  const auto characters = values<char>(name, SectionType::Text);
  return {characters.data(), static_cast<std::size_t>(characters.size())};
}

std::vector<double> ArchiveReader::reals(std::string_view name) const {
  const auto array = values<double>(name, SectionType::Reals);
  return {array.data(), array.data() + array.size()};
}

std::vector<std::int64_t> ArchiveReader::integers(std::string_view name) const {
  const auto array = values<std::int64_t>(name, SectionType::Integers);
  return {array.data(), array.data() + array.size()};
}

Array2<double> ArchiveReader::matrix(std::string_view name) const { return values<double>(name, SectionType::Matrix); }
Array2<float> ArchiveReader::matrix_f32(std::string_view name) const {
  return values<float>(name, SectionType::MatrixF32);
}

Index ArchiveReader::rows(std::string_view name) const { return find(name, SectionType::Matrix).rows; }
Index ArchiveReader::cols(std::string_view name) const { return find(name, SectionType::Matrix).cols; }

}  // namespace unroll
