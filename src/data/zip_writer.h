#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/file_writer.h"

namespace unroll {

/// Writes a zip archive of uncompressed members, ZIP64 if sizes need it. The same content always gives the same bytes:
/// every member has the date 1 January 1980, zip's first day.
class ZipWriter {
 public:
  using Sink = std::function<void(const void* data, std::size_t size)>;
  static constexpr std::uint64_t kZip64From = 0xffffffff;

  /// Sizes and offsets from `zip64_from` on are written in 64 bits; tests choose a smaller limit than 2^32 - 1.
  explicit ZipWriter(FileWriter& file, std::uint64_t zip64_from = kZip64From);

  /// `content` writes the member's bytes to a sink, piece by piece. It is called twice, since size and checksum come
  /// before the bytes, and must give the same bytes each time.
  void add(const std::string& name, const std::function<void(const Sink& sink)>& content);
  /// Call it once, after the last member.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint32_t checksum = 0;
  };

  void write(const void* data, std::size_t size);
  bool is_wide(const Member& member) const { return member.size >= zip64_from_ || member.offset >= zip64_from_; }

  FileWriter& file_;
  std::uint64_t zip64_from_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace unroll
