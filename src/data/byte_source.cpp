#include "data/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "core/text.h"
#include "data/byte_source_gzip.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// At most this many bytes are read between two checks for cancelling.
constexpr std::size_t kReadAtOnce = std::size_t{8} << 20;

int open_for_reading(const std::string& path, const Run& run) {
  if (path == "-") return STDIN_FILENO;
  while (true) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
    run.check_cancelled();  // a signal interrupted the wait for the pipe's writer
  }
}

/// Joins the pieces and frees each as soon as it is copied: there are never two copies of the whole in memory.
Bytes join(std::vector<Bytes> pieces, std::size_t total, std::size_t room) {
  if (pieces.size() == 1) return std::move(pieces.front());
  Bytes whole{std::make_unique_for_overwrite<char[]>(total + room), total};
  std::size_t filled = 0;
  for (Bytes& piece : pieces) {
    std::memcpy(whole.data.get() + filled, piece.data.get(), piece.size);
    filled += piece.size;
    piece.data.reset();
  }
  return whole;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (owned_ && value_ >= 0) close(value_);
}

ByteSource::ByteSource(const std::string& path, const Run& run)
    : name_(path == "-" ? "<stdin>" : path),
      run_(run),
      budget_(memory_budget(run)),
      file_(open_for_reading(path, run), path != "-"),
      buffer_{std::make_unique_for_overwrite<char[]>(kMaxPeek), kMaxPeek} {
  if (file_.get() < 0) fail_system(errno);
  find_size();
  constexpr std::string_view kGzipMagic = "\x1f\x8b";
  if (peek(kGzipMagic.size()) != kGzipMagic) return;
  const std::string_view first(buffer_.data.get(), end_);
  inflater_ = std::make_unique<GzipInflater>(name_, first,
                                             [this](char* to, std::size_t count) { return read_file(to, count); });
  begin_ = end_ = 0;
}

ByteSource::ByteSource(std::string name, std::uint64_t size, Input input, std::size_t held, const Run& run)
    : name_(std::move(name)),
      run_(run),
      budget_(memory_budget(run)),
      file_(-1, false),
      input_(std::move(input)),
      held_by_owner_(held),
      file_size_(size),
      buffer_{std::make_unique_for_overwrite<char[]>(kMaxPeek), kMaxPeek} {}

ByteSource::~ByteSource() = default;

void ByteSource::find_size() {
  struct stat status {};
  if (fstat(file_.get(), &status) != 0) fail_system(errno);
  if (S_ISDIR(status.st_mode)) fail_system(EISDIR);
  // Files of /proc report size 0 and hold more.
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return;
  const off_t start = lseek(file_.get(), 0, SEEK_CUR);
  if (start >= 0) file_size_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - start));
}

void ByteSource::fail_system(int code) const {
  throw Error(ErrorKind::Io, fmt::format("cannot read '{}': {}", name_, std::generic_category().message(code)));
}

void ByteSource::wait_for_input() const {
  constexpr int kPatienceMilliseconds = 100;
  pollfd waiting{.fd = file_.get(), .events = POLLIN, .revents = 0};
  while (true) {
    const int ready = poll(&waiting, 1, kPatienceMilliseconds);
    run_.check_cancelled();  // also after a signal has ended the wait: a read would wait again
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

std::size_t ByteSource::read_file(char* to, std::size_t count) {
  while (true) {
    run_.check_cancelled();
    if (!file_size_) wait_for_input();
    const std::size_t wanted = std::min(count, kReadAtOnce);
    const ssize_t got = input_ ? static_cast<ssize_t>(input_(to, wanted)) : ::read(file_.get(), to, wanted);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) fail_system(errno);
    if (got == 0 && file_size_ && file_read_ < *file_size_)
      throw Error(
          ErrorKind::Io,
          fmt::format("'{}' became shorter while it was read: {} bytes of {} are left", name_, file_read_, *file_size_),
          "read it again when nobody writes to it");
    file_read_ += static_cast<std::uint64_t>(got);
    if (file_size_)
      run_.report({.stage = "reading",
                   .fraction = std::min(1.0, static_cast<double>(file_read_) / static_cast<double>(*file_size_))});
    return static_cast<std::size_t>(got);
  }
}

std::size_t ByteSource::pull(char* to, std::size_t count) {
  std::size_t filled = 0;
  while (filled < count) {
    const std::size_t got = inflater_ ? inflater_->read(to + filled, std::min(count - filled, kReadAtOnce))
                                      : read_file(to + filled, count - filled);
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

std::string_view ByteSource::peek(std::size_t count) {
  if (end_ - begin_ < count) {
    std::memmove(buffer_.data.get(), buffer_.data.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    end_ += pull(buffer_.data.get() + end_, std::min(count, buffer_.size) - end_);
  }
  return {buffer_.data.get() + begin_, std::min(count, end_ - begin_)};
}

std::size_t ByteSource::read(char* to, std::size_t count) {
  const std::size_t buffered = std::min(count, end_ - begin_);
  std::memcpy(to, buffer_.data.get() + begin_, buffered);
  begin_ += buffered;
  return buffered + pull(to + buffered, count - buffered);
}

/// The rest of a file whose size is known; otherwise as much as has been read already.
std::size_t ByteSource::size_of_next_piece(std::size_t total) const {
  constexpr std::size_t kSmallest = std::size_t{64} << 10;
  constexpr std::size_t kLargest = std::size_t{64} << 20;  // malloc returns such blocks to the system when freed
  const std::uint64_t allowed = budget_ - std::min<std::uint64_t>(budget_, total);
  std::uint64_t size = std::min<std::uint64_t>(std::clamp(total, kSmallest, kLargest), allowed);
  if (!inflater_ && file_size_ && *file_size_ > file_read_) size = (end_ - begin_) + (*file_size_ - file_read_);
  if (size == 0 || size > allowed)
    throw Error(ErrorKind::OutOfMemory, {.who = name_,
                                         .problem = fmt::format("holds more than {}, the memory budget",
                                                                human_bytes(static_cast<double>(budget_))),
                                         .advice = "give it a larger budget or read a part of it"});
  return static_cast<std::size_t>(size);
}

Bytes ByteSource::read_all(std::size_t room) {
  std::vector<Bytes> pieces;
  std::size_t total = 0;
  while (pieces.empty() || !peek(1).empty()) {
    const std::size_t size = size_of_next_piece(total);
    Bytes piece{std::make_unique_for_overwrite<char[]>(size + room), 0};
    piece.size = read(piece.data.get(), size);
    total += piece.size;
    pieces.push_back(std::move(piece));
  }
  return join(std::move(pieces), total, room);
}

std::uint64_t ByteSource::bytes_left() {
  if (!inflater_ && file_size_) return (end_ - begin_) + *file_size_ - std::min(*file_size_, file_read_);
  buffer_ = read_all(0);
  begin_ = 0;
  end_ = buffer_.size;
  return buffer_.size;
}

}  // namespace unroll
