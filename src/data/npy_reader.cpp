#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "core/text.h"
#include "data/binary_array.h"
#include "data/npy_reader.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = std::size_t{64} << 10;
static_assert(kMaxHeader + 16 <= ByteSource::kMaxPeek);

[[noreturn]] void fail(const ByteSource& source, const std::string& what) {
  throw Error(ErrorKind::InvalidData, {.who = source.name(), .problem = what});
}

std::size_t byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

}  // namespace

/// magic, version (2 bytes), length of the header (2 bytes little-endian in version 1, else 4), header.
NpyHeader read_npy_header(ByteSource& source) {
  const std::string_view start = source.peek(12);
  if (start.size() < 10 || start.substr(0, kMagic.size()) != kMagic)
    fail(source, "not an .npy file: at offset 0 it should have \\x93NUMPY, a version and a header");
  const std::size_t major = byte_at(start, 6);
  if (major < 1 || major > 3 || byte_at(start, 7) != 0)
    fail(source, fmt::format("not an .npy file of a known version: at offset 6 it says {}.{}; versions 1.0 to 3.0 are "
                             "read",
                             major, byte_at(start, 7)));
  const std::size_t prefix = major == 1 ? 10 : 12;
  if (start.size() < prefix) fail(source, "not an .npy file: it ends inside its header");
  std::size_t length = byte_at(start, 8) | byte_at(start, 9) << 8;
  if (major > 1) length |= byte_at(start, 10) << 16 | byte_at(start, 11) << 24;
  if (length > kMaxHeader)
    fail(source, fmt::format("the .npy header says it is {} bytes long, more than {}; the file is damaged", length,
                             kMaxHeader));
  const std::string_view all = source.peek(prefix + length);
  if (all.size() < prefix + length)
    fail(source,
         fmt::format("header promises {} bytes of header, file has {}; it is cut short", length, all.size() - prefix));
  NpyHeader header = parse_npy_header(all.substr(prefix), source.name(), prefix);
  source.skip(prefix + length);
  return header;
}

namespace {

struct TypeCode {
  std::string_view code;
  Scalar scalar;
};
constexpr std::array kTypeCodes{
    TypeCode{"b1", Scalar::Bool},    TypeCode{"i1", Scalar::Int8},    TypeCode{"u1", Scalar::UInt8},
    TypeCode{"i2", Scalar::Int16},   TypeCode{"u2", Scalar::UInt16},  TypeCode{"i4", Scalar::Int32},
    TypeCode{"u4", Scalar::UInt32},  TypeCode{"i8", Scalar::Int64},   TypeCode{"u8", Scalar::UInt64},
    TypeCode{"f2", Scalar::Float16}, TypeCode{"f4", Scalar::Float32}, TypeCode{"f8", Scalar::Float64}};

/// Why numbers of this kind are refused.
std::string_view refusal(char kind) {
  switch (kind) {
    case 'O': return "object arrays (pickle) are never loaded; save numbers";
    case 'c': return "Complex data not supported; save the real and imaginary parts as columns";
    case 'S':
    case 'a':
    case 'U': return "strings are not numbers; convert them first";
    case 'M':
    case 'm': return "dates and times are not supported; save them as numbers";
    case 'V': return "structured arrays are not supported; save one table of plain numbers";
    case 'f':
    case 'g': return "floats of more than 64 bits are not read; save them with .astype('float64')";
    default: return "integers up to 64 bits, floats up to 64 bits and booleans are read";
  }
}

/// Says how an array that is no matrix became one.
void add_shape_note(const std::vector<Index>& shape, Table& table) {
  if (shape.size() == 2) return;
  const PointsView view = table.view();
  table.notes.push_back(fmt::format("an array of {} is read as {} of {}: each entry of its first dimension is a sample",
                                    shape.size() == 1 ? "one dimension" : fmt::format("{}", fmt::join(shape, " x ")),
                                    counted(view.rows(), "row"), counted(view.cols(), "number")));
}

}  // namespace

BinaryArray npy_layout(const NpyHeader& header, const ByteSource& source) {
  BinaryArray array{.column_major = header.fortran_order, .shape = header.shape};
  std::string_view code = header.descr;
  const char order = code.empty() ? '\0' : code.front();
  if (order == '<' || order == '>' || order == '=' || order == '|') code.remove_prefix(1);
  array.big_endian = order == '>' || (order != '<' && std::endian::native == std::endian::big);
  const auto found =
      std::find_if(kTypeCodes.begin(), kTypeCodes.end(), [&](const TypeCode& type) { return type.code == code; });
  if (found == kTypeCodes.end())
    fail(source, fmt::format("cannot read numbers of type '{}': {}", header.descr,
                             refusal(code.empty() ? '\0' : code.front())));
  array.scalar = found->scalar;
  if (array.shape.empty())
    fail(source, "holds a single number (a 0-d array), not a table; reshape it to (rows, columns)");
  return array;
}

Table read_npy(ByteSource& source, const ReadOptions&, const Run& run) {
  const NpyHeader header = read_npy_header(source);
  Table table = read_binary_array(source, npy_layout(header, source), run);
  add_shape_note(header.shape, table);
  return table;
}

}  // namespace unroll
