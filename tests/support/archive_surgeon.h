#pragma once
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
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

  /// A section as a whole: it can be changed, dropped, or put into another file.
  struct Section {
    std::string name = {};
    std::uint32_t type = 0;
    std::uint64_t rows = 1;
    std::uint64_t cols = 1;
    std::vector<std::byte> payload = {};
    bool operator==(const Section&) const = default;
  };

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
    const auto count = get<std::uint32_t>(kSections);
    for (std::size_t i = 0; i < count && field(i + 1, 0) <= bytes.size(); ++i) {
      const auto offset = get<std::uint64_t>(field(i, kOffset)), length = get<std::uint64_t>(field(i, kLength));
      if (offset <= bytes.size() && length <= bytes.size() - offset) set(field(i, kChecksum), crc(0, offset, length));
    }
    fix_table_checksum();
  }

  /// The sections of a file without faults.
  std::vector<Section> sections() const {
    std::vector<Section> all(get<std::uint32_t>(kSections));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto* name = reinterpret_cast<const char*>(bytes.data() + field(i, kName));
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(payload(i));
      all[i] = {.name = std::string(name, strnlen(name, kType)),
                .type = get<std::uint32_t>(field(i, kType)),
                .rows = get<std::uint64_t>(field(i, kRows)),
                .cols = get<std::uint64_t>(field(i, kCols)),
                .payload = {begin, begin + static_cast<std::ptrdiff_t>(get<std::uint64_t>(field(i, kLength)))}};
    }
    return all;
  }

  /// A file of these sections, with right offsets and checksums, whatever they hold.
  static std::vector<std::byte> assembled(const std::vector<Section>& sections) {
    constexpr std::size_t kAlignment = 64;
    constexpr std::string_view kStart("\x89unr\r\n\x1a\n\1\0\0\0\4\3\2\1", kSize);
    ArchiveSurgeon file(std::vector<std::byte>(field(sections.size(), 0)));
    std::memcpy(file.bytes.data(), kStart.data(), kStart.size());
    file.set(kSections, static_cast<std::uint32_t>(sections.size()));
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const std::size_t start = (file.bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
      file.set_name(i, sections[i].name);
      file.set(field(i, kType), sections[i].type);
      file.set(field(i, kRows), sections[i].rows);
      file.set(field(i, kCols), sections[i].cols);
      file.set(field(i, kOffset), std::uint64_t{start});
      file.set(field(i, kLength), std::uint64_t{sections[i].payload.size()});
      file.bytes.resize(start);
      file.bytes.insert(file.bytes.end(), sections[i].payload.begin(), sections[i].payload.end());
    }
    file.set(kSize, std::uint64_t{file.bytes.size()});
    file.fix_checksums();
    return std::move(file.bytes);
  }

  std::vector<std::byte> bytes;

 private:
  std::uint32_t crc(std::uint32_t so_far, std::size_t offset, std::size_t length) const {
    if (length == 0) return so_far;  // at no address crc32_z would start again
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data() + offset);
    return static_cast<std::uint32_t>(crc32_z(so_far, data, length));
  }
};

}  // namespace unroll
