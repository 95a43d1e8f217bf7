#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/memory.h"
#include "unroll/core/run.h"

namespace unroll {

class GzipInflater;

/// Bytes in one piece, with room behind them for a terminator.
struct Bytes {
  std::unique_ptr<char[]> data = {};
  std::size_t size = 0;
};

/// An open file; closed at the end when it is ours.
class FileDescriptor {
 public:
  FileDescriptor(int value, bool owned) : value_(value), owned_(owned) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();
  int get() const { return value_; }

 private:
  int value_;
  bool owned_;
};

/// A file that is read from front to back: a path, or "-" for standard input; regular files, pipes and devices alike,
/// inflated when they are gzip; or bytes that somebody else hands out, taken as they are. It is read() and never
/// mapped: a mapped file that another process cuts short kills the reader. What it holds in memory stays within the
/// budget of the run. Throws Io when the system refuses, InvalidData for damaged gzip data, OutOfMemory beyond the
/// budget.
class ByteSource {
 public:
  static constexpr std::size_t kMaxPeek = std::size_t{1} << 17;

  /// Puts up to `count` more bytes at `to`; 0 at the end.
  using Input = std::function<std::size_t(char* to, std::size_t count)>;

  ByteSource(const std::string& path, const Run& run);
  /// `size` bytes from `input`, whose owner holds `held` bytes in memory for that.
  ByteSource(std::string name, std::uint64_t size, Input input, std::size_t held, const Run& run);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// For messages: the path as given, or "<stdin>".
  const std::string& name() const { return name_; }
  bool is_gzip() const { return inflater_ != nullptr; }

  /// The next bytes, which stay to be read; fewer than `count` (at most kMaxPeek) only at the end.
  std::string_view peek(std::size_t count);
  /// Moves the next bytes to `to`; fewer than `count` only at the end.
  std::size_t read(char* to, std::size_t count);
  /// Drops bytes that were peeked at.
  void skip(std::size_t count) { begin_ += count; }
  /// All that is left, with `room` more bytes behind it.
  Bytes read_all(std::size_t room);
  /// How many bytes are left. A stream does not know, so it is read into memory to find out.
  std::uint64_t bytes_left();
  /// Bytes held in memory for this source, for the plan of whoever reads.
  std::size_t bytes_held() const { return held_by_owner_ + (end_ - begin_); }

 private:
  std::size_t pull(char* to, std::size_t count);
  std::size_t read_file(char* to, std::size_t count);
  void find_size();
  void wait_for_input() const;
  [[noreturn]] void fail_system(int code) const;
  std::size_t size_of_next_piece(std::size_t total) const;

  std::string name_;
  const Run& run_;
  std::uint64_t budget_;
  FileDescriptor file_;
  Input input_ = {};  ///< in place of a file
  std::size_t held_by_owner_ = 0;
  std::optional<std::uint64_t> file_size_ = {};  ///< of a regular file, from where the reading starts
  std::uint64_t file_read_ = 0;
  std::unique_ptr<GzipInflater> inflater_;
  Bytes buffer_;  ///< peeked at, not yet read: [begin_, end_)
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace unroll
