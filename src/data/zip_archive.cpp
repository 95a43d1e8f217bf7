#include "data/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "data/csv_text.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are in memory");

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                        kEnd64Locator = 0x07064b50;
constexpr std::uint64_t kLocalHeaderSize = 30, kDirectoryEntrySize = 46, kEndSize = 22, kEnd64LocatorSize = 20;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kWiden = 0xffffffff;  ///< the value is in the ZIP64 extra field

/// More than an archive of arrays ever has, but few enough that their list takes little memory.
constexpr std::uint64_t kMostMembers = 1 << 16;
/// Deflate's limit: 258 bytes for 2 bits.
constexpr std::uint64_t kLargestRatio = 1032;

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  const Directory directory = find_directory();
  if (directory.count > kMostMembers) fail(fmt::format("it says it has {} members", directory.count));
  std::uint64_t at = directory.offset;
  for (std::uint64_t i = 0; i < directory.count; ++i) at = read_entry(at, directory);
  if (at != directory.offset + directory.size) fail("its directory has another size than it says");
  check_names();
  check_overlap();
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(), [&](const ZipMember& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

std::string_view ZipArchive::slice(std::uint64_t at, std::uint64_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) fail(fmt::format("it has no {} bytes at offset {}", size, at));
  return bytes_.substr(at, size);
}

template <class T>
T ZipArchive::number(std::uint64_t at) const {
  T value{};
  std::memcpy(&value, slice(at, sizeof value).data(), sizeof value);
  return value;
}

/// The offset of the end record. It is followed only by a comment of up to 2^16 - 1 bytes, whose length it contains.
std::uint64_t ZipArchive::find_end() const {
  constexpr std::uint64_t kLongestComment = 0xffff;
  const std::uint64_t size = bytes_.size();
  for (std::uint64_t comment = 0; comment <= kLongestComment && comment + kEndSize <= size; ++comment) {
    const std::uint64_t at = size - kEndSize - comment;
    if (number<std::uint32_t>(at) == kEnd && number<std::uint16_t>(at + 20) == comment) return at;
  }
  fail("its directory is not at its end");
}

ZipArchive::Directory ZipArchive::find_directory() const {
  std::uint64_t end = find_end();
  Directory directory{.offset = number<std::uint32_t>(end + 16),
                      .size = number<std::uint32_t>(end + 12),
                      .count = number<std::uint16_t>(end + 10)};
  const auto disk = number<std::uint16_t>(end + 4);
  if (end >= kEnd64LocatorSize && number<std::uint32_t>(end - kEnd64LocatorSize) == kEnd64Locator) {
    end = number<std::uint64_t>(end - kEnd64LocatorSize + 8);
    if (number<std::uint32_t>(end) != kEnd64) fail("its ZIP64 directory is not where it says");
    directory = {.offset = number<std::uint64_t>(end + 48),
                 .size = number<std::uint64_t>(end + 40),
                 .count = number<std::uint64_t>(end + 32)};
  } else if (disk != 0) {
    fail("it is one part of several");
  }
  if (directory.offset > end || directory.size != end - directory.offset)
    fail("its directory is not where it says, or something stands before the archive");
  return directory;
}

/// Reads one entry of the directory and the header before its data; returns the start of the next entry.
std::uint64_t ZipArchive::read_entry(std::uint64_t at, const Directory& directory) {
  constexpr unsigned kEncrypted = 1U << 0 | 1U << 6 | 1U << 13;
  constexpr std::uint16_t kStored = 0, kDeflated = 8;
  if (number<std::uint32_t>(at) != kDirectoryEntry) fail(fmt::format("no entry of its directory at offset {}", at));
  const std::uint64_t name_size = number<std::uint16_t>(at + 28);
  const std::uint64_t extra_size = number<std::uint16_t>(at + 30);
  const std::uint64_t comment_size = number<std::uint16_t>(at + 32);
  const auto method = number<std::uint16_t>(at + 10);
  ZipMember member{.name = slice(at + kDirectoryEntrySize, name_size),
                   .size = number<std::uint32_t>(at + 24),
                   .checksum = number<std::uint32_t>(at + 16),
                   .deflated = method == kDeflated};
  std::uint64_t packed_size = number<std::uint32_t>(at + 20);
  std::uint64_t offset = number<std::uint32_t>(at + 42);
  widen(slice(at + kDirectoryEntrySize + name_size, extra_size), member, packed_size, offset);

  const std::string shown = quoted_for_message(member.name);
  if ((number<std::uint16_t>(at + 8) & kEncrypted) != 0)
    throw Error(ErrorKind::Unsupported, {.who = file_,
                                         .problem = fmt::format("member {} is encrypted", shown),
                                         .advice = "save it again without a password"});
  if (method != kStored && method != kDeflated)
    throw Error(ErrorKind::Unsupported, {.who = file_,
                                         .problem = fmt::format("member {} is compressed by method {}", shown, method),
                                         .advice = "stored and deflated members are read"});
  check_sizes(member, packed_size);
  if (number<std::uint32_t>(offset) != kLocalHeader ||
      slice(offset + kLocalHeaderSize, number<std::uint16_t>(offset + 26)) != member.name)
    fail(fmt::format("member {} is not where its directory says", shown));
  const std::uint64_t data = offset + kLocalHeaderSize + name_size + number<std::uint16_t>(offset + 28);
  member.packed = slice(data, packed_size);
  if (data + packed_size > directory.offset) fail(fmt::format("member {} runs into the directory", shown));
  members_.push_back(member);
  places_.push_back({offset, data + packed_size});
  return at + kDirectoryEntrySize + name_size + extra_size + comment_size;
}

/// ZIP64: the extra field holds the values that do not fit in 32 bits, in this order, without those that fit.
void ZipArchive::widen(std::string_view extra, ZipMember& member, std::uint64_t& packed_size,
                       std::uint64_t& offset) const {
  std::vector<std::uint64_t*> wide;
  for (std::uint64_t* value : {&member.size, &packed_size, &offset})
    if (*value == kWiden) wide.push_back(value);
  while (!wide.empty() && extra.size() >= 4) {
    std::uint16_t tag = 0, size = 0;
    std::memcpy(&tag, extra.data(), sizeof tag);
    std::memcpy(&size, extra.data() + 2, sizeof size);
    extra.remove_prefix(4);
    if (size > extra.size()) break;
    if (tag == kZip64Extra) {
      if (size < 8 * wide.size()) break;
      for (std::size_t i = 0; i < wide.size(); ++i) std::memcpy(wide[i], extra.data() + 8 * i, 8);
      return;
    }
    extra.remove_prefix(size);
  }
  // Without the field, 2^32 - 1 may be the value itself; later checks find out.
}

void ZipArchive::check_sizes(const ZipMember& member, std::uint64_t packed_size) const {
  const bool possible = member.deflated ? member.size / kLargestRatio <= packed_size : member.size == packed_size;
  if (!possible)
    fail(fmt::format("member {} says that its {} bytes unpack to {}, which is impossible",
                     quoted_for_message(member.name), packed_size, member.size));
}

void ZipArchive::check_names() const {
  std::vector<std::string_view> names;
  for (const ZipMember& member : members_) names.push_back(member.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) fail(fmt::format("it has several members called {}", quoted_for_message(*twice)));
}

/// Overlapping members would let a small file unpack to a huge one (a zip bomb).
void ZipArchive::check_overlap() {
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < places_.size(); ++i)
    if (places_[i].begin < places_[i - 1].end) fail("its members overlap");
}

void ZipArchive::fail(const std::string& what) const {
  throw Error(ErrorKind::InvalidData, {.who = file_,
                                       .problem = fmt::format("not a sound zip archive: {}", what),
                                       .advice = "the file is damaged or cut short"});
}

}  // namespace unroll
