#include "report/png.h"

#include <zlib.h>

#include <string_view>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The most significant byte first.
std::string four_bytes(std::uint32_t number) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(number >> shift & 0xFFU);
  return bytes;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// Length, name, content, and the checksum of the last two.
std::string chunk(std::string_view name, std::string_view content) {
  const std::string body = std::string(name) + std::string(content);
  return four_bytes(static_cast<std::uint32_t>(content.size())) + body + four_bytes(checksum(body));
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ErrorKind::OutOfMemory, "no memory is left to compress the picture", "make a smaller one");
  result.resize(size);
  return result;
}

}  // namespace

std::string png_file(const std::vector<std::uint8_t>& rgb, std::int64_t width, std::int64_t height) {
  const auto row = static_cast<std::size_t>(3 * width);
  std::string lines;
  lines.reserve((row + 1) * static_cast<std::size_t>(height));
  for (std::size_t begin = 0; begin < rgb.size(); begin += row) {
    lines += '\0';  // the row is not filtered: large areas of one color are packed well as they are
    lines.append(reinterpret_cast<const char*>(rgb.data()) + begin, row);
  }
  const std::string header = four_bytes(static_cast<std::uint32_t>(width)) +
                             four_bytes(static_cast<std::uint32_t>(height)) +
                             std::string("\x08\x02\0\0\0", 5);  // 8 bits, RGB, deflate, filters by row, not interlaced
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", compressed(lines)) + chunk("IEND", "");
}

}  // namespace unroll
