#include "data/byte_source_gzip.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "unroll/core/error.h"

namespace unroll {

GzipInflater::GzipInflater(std::string name, std::string_view first, Input more)
    : name_(std::move(name)), more_(std::move(more)) {
  constexpr int kGzipWithAnyWindow = 16 + MAX_WBITS;
  if (inflateInit2(&stream_, kGzipWithAnyWindow) != Z_OK) throw std::bad_alloc();
  std::copy(first.begin(), first.end(), input_.begin());
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(first.size());
}

GzipInflater::~GzipInflater() { inflateEnd(&stream_); }

std::size_t GzipInflater::read(char* to, std::size_t count) {
  count = std::min<std::size_t>(count, std::numeric_limits<uInt>::max());
  stream_.next_out = reinterpret_cast<Bytef*>(to);
  stream_.avail_out = static_cast<uInt>(count);
  while (stream_.avail_out > 0) {
    if (!inside_member_ && !start_next_member()) break;
    // Also without input: zlib may still hold inflated bytes that did not fit last time.
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      inside_member_ = false;
    } else if (outcome == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      fail(stream_.msg != nullptr ? stream_.msg : "damaged");
    } else if (stream_.avail_in == 0 && stream_.avail_out > 0 && !refill()) {
      fail("it ends too early");
    }
  }
  return count - stream_.avail_out;
}

bool GzipInflater::refill() {
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(more_(input_.data(), input_.size()));
  return stream_.avail_in > 0;
}

bool GzipInflater::start_next_member() {
  while (stream_.avail_in > 0 || refill()) {
    if (*stream_.next_in != 0) {
      inflateReset(&stream_);
      inside_member_ = true;
      return true;
    }
    ++stream_.next_in;
    --stream_.avail_in;
  }
  return false;
}

void GzipInflater::fail(std::string_view why) const {
  throw Error(ErrorKind::InvalidData, {.who = name_,
                                       .problem = fmt::format("cannot inflate the gzip data: {}", why),
                                       .advice = "the file is damaged or cut short: copy or download it again"});
}

}  // namespace unroll
