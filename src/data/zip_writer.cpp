#include "data/zip_writer.h"

#include <zlib.h>

#include <bit>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are in memory");

/// Numbers in sequence, in the byte order of the file.
class Record {
 public:
  template <class T>
  Record& add(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Record& add(const std::string& text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kSeeExtra = 0xffffffff;
constexpr U16 kPlainVersion = 20, kZip64Version = 45;
constexpr U16 kNoTime = 0, kFirstDay = 1 << 5 | 1;
constexpr U16 kUtf8Names = 1 << 11;

/// The fields from version to checksum, which are the same in the header of a member and in its directory entry.
void add_common(Record& record, bool wide, U32 checksum) {
  record.add(wide ? kZip64Version : kPlainVersion).add(kUtf8Names).add(U16{0}).add(kNoTime).add(kFirstDay);
  record.add(checksum);
}

}  // namespace

ZipWriter::ZipWriter(FileWriter& file, std::uint64_t zip64_from) : file_(file), zip64_from_(zip64_from) {}

void ZipWriter::write(const void* data, std::size_t size) {
  file_.write(data, size);
  written_ += size;
}

void ZipWriter::add(const std::string& name, const std::function<void(const Sink& sink)>& content) {
  Member member{.name = name, .offset = written_};
  content([&](const void* data, std::size_t size) {
    member.checksum = static_cast<U32>(crc32_z(member.checksum, static_cast<const Bytef*>(data), size));
    member.size += size;
  });
  const bool wide = is_wide(member);
  const U32 size = wide ? kSeeExtra : static_cast<U32>(member.size);
  Record header;
  header.add(U32{0x04034b50});
  add_common(header, wide, member.checksum);
  header.add(size).add(size).add(static_cast<U16>(name.size())).add(static_cast<U16>(wide ? 20 : 0)).add(name);
  if (wide) header.add(U16{1}).add(U16{16}).add(member.size).add(member.size);
  write(header.bytes().data(), header.bytes().size());
  const U64 start = written_;
  content([&](const void* data, std::size_t count) { write(data, count); });
  if (written_ - start != member.size) throw Error(ErrorKind::Internal, "zip: a member changed while it was written");
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  constexpr U64 kMostPlainMembers = 0xfffe;
  const U64 directory = written_;
  for (const Member& member : members_) {
    const bool wide = is_wide(member);
    const U32 size = wide ? kSeeExtra : static_cast<U32>(member.size);
    Record entry;
    entry.add(U32{0x02014b50}).add(kZip64Version);
    add_common(entry, wide, member.checksum);
    entry.add(size).add(size).add(static_cast<U16>(member.name.size())).add(static_cast<U16>(wide ? 28 : 0));
    entry.add(U16{0}).add(U16{0}).add(U16{0}).add(U32{0});  // no comment, the first disk, no attributes
    entry.add(wide ? kSeeExtra : static_cast<U32>(member.offset)).add(member.name);
    if (wide) entry.add(U16{1}).add(U16{24}).add(member.size).add(member.size).add(member.offset);
    write(entry.bytes().data(), entry.bytes().size());
  }
  const U64 directory_size = written_ - directory;
  const U64 count = members_.size();
  const bool wide = directory >= zip64_from_ || directory_size >= zip64_from_ || count > kMostPlainMembers;
  Record end;
  if (wide) {
    constexpr U64 kRestOfRecord = 44;
    end.add(U32{0x06064b50}).add(kRestOfRecord).add(kZip64Version).add(kZip64Version).add(U32{0}).add(U32{0});
    end.add(count).add(count).add(directory_size).add(directory);
    end.add(U32{0x07064b50}).add(U32{0}).add(written_).add(U32{1});
  }
  const auto count16 = static_cast<U16>(wide ? 0xffff : count);
  end.add(U32{0x06054b50}).add(U16{0}).add(U16{0}).add(count16).add(count16);
  end.add(wide ? kSeeExtra : static_cast<U32>(directory_size)).add(wide ? kSeeExtra : static_cast<U32>(directory));
  end.add(U16{0});
  write(end.bytes().data(), end.bytes().size());
}

}  // namespace unroll
