#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "data/zip_archive.h"
#include "unroll/core/error.h"

namespace unroll {

ZipMemberReader::ZipMemberReader(const ZipMember& member, std::string name)
    : member_(member), name_(std::move(name)), rest_(member.packed) {
  constexpr int kDeflateAlone = -MAX_WBITS;  // raw deflate, without a header
  if (member_.deflated && inflateInit2(&stream_, kDeflateAlone) != Z_OK) throw std::bad_alloc();
}

ZipMemberReader::~ZipMemberReader() {
  if (member_.deflated) inflateEnd(&stream_);
}

std::size_t ZipMemberReader::read(char* to, std::size_t count) {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, member_.size - produced_));
  if (count == 0) return 0;
  if (member_.deflated) {
    inflate_exactly(to, count);
  } else {
    std::copy_n(rest_.data(), count, to);
    rest_.remove_prefix(count);
  }
  checksum_ = static_cast<std::uint32_t>(crc32_z(checksum_, reinterpret_cast<const Bytef*>(to), count));
  produced_ += count;
  if (produced_ == member_.size) check_end();
  return count;
}

void ZipMemberReader::inflate_exactly(char* to, std::size_t count) {
  while (count > 0) {
    const std::size_t piece = std::min<std::size_t>(count, std::numeric_limits<uInt>::max());
    const int outcome = inflate_some(to, piece);
    const std::size_t made = piece - stream_.avail_out;
    to += made;
    count -= made;
    if (count > 0 && (outcome == Z_STREAM_END || made == 0)) fail("it unpacks to less than it says");
  }
}

int ZipMemberReader::inflate_some(char* to, std::size_t count) {
  stream_.next_out = reinterpret_cast<Bytef*>(to);
  stream_.avail_out = static_cast<uInt>(count);
  int outcome = Z_OK;
  do {
    if (stream_.avail_in == 0) {
      const std::size_t piece = std::min<std::size_t>(rest_.size(), std::numeric_limits<uInt>::max());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));  // zlib only reads it
      stream_.avail_in = static_cast<uInt>(piece);
      rest_.remove_prefix(piece);
    }
    outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
      fail(stream_.msg != nullptr ? stream_.msg : "its compressed data are damaged");
  } while (outcome == Z_OK && stream_.avail_out > 0 && !(stream_.avail_in == 0 && rest_.empty()));
  return outcome;
}

void ZipMemberReader::check_end() {
  if (member_.deflated) {
    char more = 0;
    const int outcome = inflate_some(&more, 1);
    if (stream_.avail_out == 0) fail("it unpacks to more than it says");
    if (outcome != Z_STREAM_END || stream_.avail_in > 0 || !rest_.empty())
      fail("its compressed data do not end where they should");
  }
  if (checksum_ != member_.checksum)
    fail(fmt::format("its checksum is {:08x}, it should be {:08x}", checksum_, member_.checksum));
}

void ZipMemberReader::fail(std::string_view what) const {
  throw Error(ErrorKind::InvalidData,
              {.who = name_, .problem = std::string(what), .advice = "the file is damaged: copy or download it again"});
}

}  // namespace unroll
