#pragma once
#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unroll::testing_support {

/// A member of an archive, sound or not. What is not set is what the content says.
struct ZipEntry {
  std::string name = {};
  std::string content = {};
  bool deflate = false;
  bool descriptor = false;  ///< sizes and checksum behind the data, zeros in front
  bool zip64 = false;
  std::uint16_t flags = 0;
  std::optional<std::uint16_t> method = {};
  std::optional<std::uint32_t> checksum = {};
  std::optional<std::uint64_t> size = {};
  std::optional<std::uint64_t> packed_size = {};
  std::optional<std::uint64_t> offset = {};
  std::optional<std::string> local_name = {};
};

inline std::string deflated(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, static_cast<uLong>(content.size())) + 16, '\0');
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

/// The low bytes of a number, the least significant first.
inline std::string little(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// Knows the layout by itself, from PKWARE's APPNOTE.
inline std::string zip(const std::vector<ZipEntry>& entries, std::string_view comment = "", bool zip64_end = false) {
  std::string file, directory;
  for (const ZipEntry& entry : entries) {
    const std::string packed = entry.deflate ? deflated(entry.content) : entry.content;
    const std::uint64_t checksum = entry.checksum.value_or(static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(entry.content.data()), entry.content.size())));
    const std::uint64_t size = entry.size.value_or(entry.content.size());
    const std::uint64_t packed_size = entry.packed_size.value_or(packed.size());
    const std::uint64_t offset = entry.offset.value_or(file.size());
    const std::string local_name = entry.local_name.value_or(entry.name);
    const std::uint64_t flags = entry.flags | (entry.descriptor ? 8U : 0U);
    const std::string common =
        little(flags, 2) + little(entry.method.value_or(entry.deflate ? 8 : 0), 2) + little(0, 2) + little(0x21, 2);
    const std::uint64_t shown = entry.descriptor ? 0 : ~std::uint64_t{0};
    const std::uint64_t wide = entry.zip64 ? ~std::uint64_t{0} : 0;
    const std::string extra = little(0xcafe, 2) + little(3, 2) + "abc";  // somebody else's
    file += "PK\3\4" + little(45, 2) + common + little(checksum & shown, 4) + little(packed_size & shown, 4) +
            little(size & shown, 4) + little(local_name.size(), 2) + little(0, 2);
    file.append(local_name).append(packed);
    if (entry.descriptor) file += "PK\7\x8" + little(checksum, 4) + little(packed_size, 4) + little(size, 4);
    const std::string extra64 = entry.zip64 ? extra + little(1, 2) + little(24, 2) + little(size, 8) +
                                                  little(packed_size, 8) + little(offset, 8)
                                            : extra;
    directory += "PK\1\2" + little(45, 2) + little(45, 2) + common + little(checksum, 4) +
                 little(packed_size | wide, 4) + little(size | wide, 4) + little(entry.name.size(), 2) +
                 little(extra64.size(), 2) + little(2, 2) + little(0, 8) + little(offset | wide, 4);
    directory.append(entry.name).append(extra64).append("hi");
  }
  const std::uint64_t start = file.size(), end = start + directory.size();
  file += directory;
  if (zip64_end)
    file += "PK\6\6" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) + little(entries.size(), 8) +
            little(entries.size(), 8) + little(directory.size(), 8) + little(start, 8) + "PK\6\7" + little(0, 4) +
            little(end, 8) + little(1, 4);
  const std::uint64_t mask = zip64_end ? ~std::uint64_t{0} : 0;
  file += "PK\5\6" + little(0, 4) + little(entries.size() | mask, 2) + little(entries.size() | mask, 2) +
          little(directory.size() | mask, 4) + little(start | mask, 4) + little(comment.size(), 2);
  return file + std::string(comment);
}

}  // namespace unroll::testing_support
