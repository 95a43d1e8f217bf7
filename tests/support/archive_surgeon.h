#pragma once
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace unroll {

/// Changes fields of a model file and makes its checksums right again, so that a test reaches the check behind them.
/// Knows the layout by itself, from the description in src/core/archive.cpp.
class ArchiveSurgeon {
 public:
  static constexpr std::size_t kVersion = 8, kByteOrder = 12, kSize = 16, kSections = 24, kTableChecksum = 28;
  static constexpr std::size_t kTable = 32, kEntrySize = 96;
  static constexpr std::size_t kName = 0, kType = 56, kChecksum = 60, kRows = 64, kCols = 72, kOffset = 80,
                               kLength = 88;

  explicit ArchiveSurgeon(std::vector<std::byte> file) : bytes(std::move(file)) {}

  template <class T>
  T get(std::size_t at) const {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  template <class T>
  void set(std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  void set_name(std::size_t section, std::string_view name) {
    std::memset(bytes.data() + field(section, kName), 0, kType);
    std::memcpy(bytes.data() + field(section, kName), name.data(), name.size());
  }

  /// The offset of a field of the i-th section's entry.
  static std::size_t field(std::size_t section, std::size_t which) { return kTable + section * kEntrySize + which; }
  /// The offset of the i-th section's payload.
  std::size_t payload(std::size_t section) const { return get<std::uint64_t>(field(section, kOffset)); }

  void fix_table_checksum() {
    const std::uint64_t table = get<std::uint32_t>(kSections) * std::uint64_t{kEntrySize};
    if (kTable + table > bytes.size()) return;
    set(kTableChecksum, crc(crc(0, 0, kTableChecksum), kTable, table));
  }
  void fix_checksums() {
    const std::uint32_t count = get<std::uint32_t>(kSections);
    for (std::size_t i = 0; i < count && field(i + 1, 0) <= bytes.size(); ++i) {
      const auto offset = get<std::uint64_t>(field(i, kOffset)), length = get<std::uint64_t>(field(i, kLength));
      if (offset <= bytes.size() && length <= bytes.size() - offset) set(field(i, kChecksum), crc(0, offset, length));
    }
    fix_table_checksum();
  }

  std::vector<std::byte> bytes;

 private:
  std::uint32_t crc(std::uint32_t so_far, std::size_t offset, std::size_t length) const {
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data() + offset);
    return static_cast<std::uint32_t>(crc32_z(so_far, data, length));
  }
};

}  // namespace unroll
