#include "data/file_writer.h"

#include <algorithm>
#include <limits>
#include <new>

namespace unroll {

FileWriter::FileWriter(const std::string& path, bool gzip) : file_(path), gzip_(gzip) {
  if (!gzip_) return;
  constexpr int kGzipHeader = 16;  // added to the window bits: a gzip header instead of zlib's
  constexpr int kDefaultMemory = 8;
  constexpr std::size_t kBufferSize = std::size_t{1} << 16U;
  compressed_.resize(kBufferSize);
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader, kDefaultMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

FileWriter::~FileWriter() {
  if (gzip_) deflateEnd(&stream_);
}

void FileWriter::write(const void* data, std::size_t size) {
  if (gzip_) {
    compress(data, size, false);
  } else {
    file_.write(data, size);
  }
}

void FileWriter::commit() {
  if (gzip_) compress(nullptr, 0, true);
  file_.commit();
}

void FileWriter::compress(const void* data, std::size_t size, bool last) {
  constexpr std::size_t kMostBytes = std::numeric_limits<uInt>::max();  // zlib's own limit for one call
  const auto* rest = static_cast<const Bytef*>(data);
  do {
    const std::size_t piece = std::min(size, kMostBytes);
    stream_.next_in = const_cast<Bytef*>(rest);  // zlib only reads it
    stream_.avail_in = static_cast<uInt>(piece);
    do {
      stream_.next_out = compressed_.data();
      stream_.avail_out = static_cast<uInt>(compressed_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      file_.write(compressed_.data(), compressed_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    rest += piece;
    size -= piece;
  } while (size > 0);
}

}  // namespace unroll
