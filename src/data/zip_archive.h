#pragma once
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Zip archives in memory, as PKWARE's APPNOTE describes them. Nothing is ever extracted to a file, so a member's name
/// is only a name.
namespace unroll {

struct ZipMember {
  std::string_view name = {};
  std::string_view packed = {};  ///< as stored in the archive
  std::uint64_t size = 0;        ///< unpacked, as declared; checked against the packed size
  std::uint32_t checksum = 0;
  bool deflated = false;
};

/// The members, found through the directory at the archive's end (which has the sizes even if the writer did not know
/// them beforehand), ZIP64 included. Refused: several members of one name, members that overlap, encryption, and sizes
/// that the file or the compression cannot hold.
class ZipArchive {
 public:
  /// `bytes` must outlive the archive; `file` is for messages.
  ZipArchive(std::string_view bytes, std::string file);

  const std::vector<ZipMember>& members() const { return members_; }
  /// Null if there is none.
  const ZipMember* find(std::string_view name) const;

 private:
  struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
  };
  struct Place {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  template <class T>
  T number(std::uint64_t at) const;
  std::string_view slice(std::uint64_t at, std::uint64_t size) const;
  std::uint64_t find_end() const;
  Directory find_directory() const;
  std::uint64_t read_entry(std::uint64_t at, const Directory& directory);
  void widen(std::string_view extra, ZipMember& member, std::uint64_t& packed_size, std::uint64_t& offset) const;
  void check_sizes(const ZipMember& member, std::uint64_t packed_size) const;
  void check_names() const;
  void check_overlap();
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view bytes_;
  std::string file_;
  std::vector<ZipMember> members_;
  std::vector<Place> places_;
};

/// Reads a member's content from front to back. Size and checksum are compared when the last byte is read.
class ZipMemberReader {
 public:
  /// `name` is for messages; the archive's bytes must outlive the reader.
  ZipMemberReader(const ZipMember& member, std::string name);
  ZipMemberReader(const ZipMemberReader&) = delete;
  ZipMemberReader& operator=(const ZipMemberReader&) = delete;
  ~ZipMemberReader();

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return member_.size; }
  /// Up to `count` bytes, fewer only at the end.
  std::size_t read(char* to, std::size_t count);

 private:
  void inflate_exactly(char* to, std::size_t count);
  int inflate_some(char* to, std::size_t count);
  void check_end();
  [[noreturn]] void fail(std::string_view what) const;

  ZipMember member_;
  std::string name_;
  std::string_view rest_;  ///< packed bytes that zlib has not seen
  z_stream stream_{};
  std::uint64_t produced_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace unroll
