#pragma once
#include <zlib.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace unroll {

/// Inflates gzip data: one or more members in sequence, as `cat a.gz b.gz` and bgzip write them, and zeros after the
/// last one, as tapes leave them.
class GzipInflater {
 public:
  /// Puts up to `count` more bytes of the file at `to`; 0 at its end.
  using Input = std::function<std::size_t(char* to, std::size_t count)>;

  /// `first` are the bytes of the file already read.
  GzipInflater(std::string name, std::string_view first, Input more);
  GzipInflater(const GzipInflater&) = delete;
  GzipInflater& operator=(const GzipInflater&) = delete;
  ~GzipInflater();

  /// Up to `count` inflated bytes; 0 only at the end, after all checksums were compared.
  std::size_t read(char* to, std::size_t count);

 private:
  bool refill();
  bool start_next_member();
  [[noreturn]] void fail(std::string_view why) const;

  std::string name_;
  Input more_;
  z_stream stream_{};
  bool inside_member_ = true;
  std::array<char, std::size_t{64} << 10> input_;
};

}  // namespace unroll
