#include <fmt/format.h>

#include <array>

#include "data/binary_array.h"
#include "data/table_reader.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

Scalar scalar_of(unsigned code, const ByteSource& source) {
  switch (code) {
    case 0x08: return Scalar::UInt8;
    case 0x09: return Scalar::Int8;
    case 0x0b: return Scalar::Int16;
    case 0x0c: return Scalar::Int32;
    case 0x0d: return Scalar::Float32;
    case 0x0e: return Scalar::Float64;
    default:
      throw Error(
          ErrorKind::InvalidData,
          {.who = source.name(),
           .problem = fmt::format("not an idx file: at offset 2 it has type {:#04x}, known are 0x08, 0x09, 0x0b "
                                  "to 0x0e",
                                  code)});
  }
}

}  // namespace

/// Two zeros, the type, the number of dimensions, each dimension in 4 bytes, the numbers; all big-endian.
Table read_idx(ByteSource& source, const ReadOptions&, const Run& run) {
  constexpr std::size_t kMostHeader = 4 + 4 * 255;
  const std::string_view head = source.peek(kMostHeader);
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(head[i])); };
  const auto fail = [&](std::string_view what) {
    throw Error(ErrorKind::InvalidData, {.who = source.name(), .problem = fmt::format("not an idx file: {}", what)});
  };
  if (head.size() < 4 || byte_at(0) != 0 || byte_at(1) != 0) fail("it does not start with two zeros and a type");
  BinaryArray array{.scalar = scalar_of(byte_at(2), source), .big_endian = true};
  const std::size_t dimensions = byte_at(3);
  if (dimensions == 0) fail("it has no dimensions");
  if (head.size() < 4 + 4 * dimensions) fail("it ends inside its header");
  for (std::size_t at = 4; at < 4 + 4 * dimensions; at += 4)
    array.shape.push_back(Index{byte_at(at)} << 24 | Index{byte_at(at + 1)} << 16 | Index{byte_at(at + 2)} << 8 |
                          Index{byte_at(at + 3)});
  source.skip(4 + 4 * dimensions);
  return read_binary_array(source, array, run);
}

}  // namespace unroll
