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

/// Advice to whom a file has nothing to read.
inline constexpr const char* kTableAdvice = "a table has a row of numbers per sample";

class GzipInflater;

/// Contiguous bytes, with room after them for a terminator.
struct Bytes {
  std::unique_ptr<char[]> data = {};
  std::size_t size = 0;
};

/// An open file, which is closed at the end if it is owned.
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
/// inflated if they are gzip. Or bytes from a function, taken as they are. Files are read and never mapped: a mapped
/// file that another process truncates kills the reader. The bytes held in memory stay within the budget of the run.
/// Throws Io when the system refuses, InvalidData for damaged gzip data, OutOfMemory beyond the budget.
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

  /// The next bytes, without consuming them; fewer than `count` (at most kMaxPeek) only at the end.
  std::string_view peek(std::size_t count);
  /// Moves the next bytes to `to`; fewer than `count` only at the end.
  std::size_t read(char* to, std::size_t count);
  /// Drops bytes that were peeked at.
  void skip(std::size_t count) { begin_ += count; }
  /// All remaining bytes, with `room` more bytes after them.
  Bytes read_all(std::size_t room);
  /// The number of remaining bytes. A stream is read into memory to find out.
  std::uint64_t bytes_left();
  /// Bytes held in memory for this source, for the memory plan of the reader.
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
  std::optional<std::uint64_t> file_size_ = {};  ///< of a regular file, from the start of reading
  std::uint64_t file_read_ = 0;
  std::unique_ptr<GzipInflater> inflater_;
  Bytes buffer_;  ///< peeked at, not yet read: [begin_, end_)
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace unroll
