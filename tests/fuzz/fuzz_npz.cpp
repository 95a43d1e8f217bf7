#include <zlib.h>

#include <string_view>
#include <vector>

#include "fuzz.h"

namespace {

/// Makes the checksums of members that are stored as they are right, wherever the file has something like an entry of
/// a directory.
void fix_checksums(std::vector<std::uint8_t>& file) {
  constexpr std::string_view kEntry = "PK\1\2";
  constexpr std::size_t kEntrySize = 46, kHeaderSize = 30, kMethod = 10, kChecksum = 16, kSize = 20, kOffset = 42;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::size_t{file[at + i]} << (8 * i);
    return value;
  };
  for (std::size_t at = 0; at + kEntrySize <= file.size(); ++at) {
    if (std::memcmp(file.data() + at, kEntry.data(), kEntry.size()) != 0 || number(at + kMethod, 2) != 0) continue;
    const std::size_t header = number(at + kOffset, 4), size = number(at + kSize, 4);
    if (header + kHeaderSize > file.size()) continue;
    const std::size_t data = header + kHeaderSize + number(header + 26, 2) + number(header + 28, 2);
    if (data + size > file.size()) continue;
    const auto checksum = static_cast<std::uint32_t>(crc32_z(0, file.data() + data, size));
    std::memcpy(file.data() + at + kChecksum, &checksum, sizeof checksum);
  }
}

}  // namespace

/// Twice, as the model files.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  unroll::fuzz::read(unroll::read_npz, data, size);
  std::vector<std::uint8_t> file(data, data + size);
  fix_checksums(file);
  return unroll::fuzz::read(unroll::read_npz, file.data(), file.size());
}
