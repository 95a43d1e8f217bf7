#include "core/file.h"

#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "core/memory.h"
#include "core/temporary_file.h"

namespace unroll {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

bool names_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

/// Neither a file nor a folder: a device, a pipe, a socket.
bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

void check_path(std::string_view verb, const std::string& path) {
  if (path.empty()) throw_io_error(verb, path, "the path is empty");
  if (const auto end = path.find('\0'); end != std::string::npos)
    throw_io_error(verb, path.substr(0, end), "the path contains a NUL character");
}

void wait_until_writable(int descriptor) {
  pollfd waiting{.fd = descriptor, .events = POLLOUT, .revents = 0};
  poll(&waiting, 1, -1);
}

}  // namespace

AtomicFile::AtomicFile(std::string path, const FileCalls& calls) : path_(std::move(path)), calls_(calls) {
  check_path("write", path_);
  if (names_standard_output(path_)) {
    path_ = "standard output";
    target_ = STDOUT_FILENO;
  } else if (is_special(path_)) {
    opened_ = open_at(AT_FDCWD, path_, O_WRONLY | O_NOCTTY, 0, calls_);
    if (!opened_) throw_io_error("write", path_, errno);
    target_ = opened_.number();
  } else {
    temporary_ = std::make_unique<TemporaryFile>(path_, calls_);
    target_ = temporary_->descriptor();
  }
  buffer_.reserve(kBufferSize);
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(const void* data, std::size_t size) {
  if (target_ < 0) throw Error(ErrorKind::Internal, path_ + ": written to after its end");
  if (buffer_.size() + size > kBufferSize) flush();
  const auto* bytes = static_cast<const std::byte*>(data);
  if (size > kBufferSize) {
    write_through(bytes, size);
  } else {
    buffer_.insert(buffer_.end(), bytes, bytes + size);
  }
}

void AtomicFile::commit() {
  if (target_ < 0) throw Error(ErrorKind::Internal, path_ + ": committed after its end");
  flush();
  target_ = -1;
  const auto temporary = std::move(temporary_);
  if (temporary) temporary->replace_target();
  if (opened_ && calls_.close(opened_.release()) != 0 && errno != EINTR) throw_io_error("write", path_, errno);
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_through(const std::byte* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = calls_.write(target_, data, size);
    if (written > 0) {
      data += written;
      size -= static_cast<std::size_t>(written);
    } else if (written < 0 && errno == EAGAIN) {
      wait_until_writable(target_);
    } else if (written == 0 || errno != EINTR) {
      const int error = written == 0 ? EIO : errno;
      target_ = -1;
      temporary_.reset();
      throw_io_error("write", path_, error);
    }
  }
}

std::vector<std::byte> read_file(const std::string& path, const Run& run) {
  check_path("read", path);
  const Descriptor file = open_at(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);  // a pipe must not hold us up
  struct stat status {};
  if (!file || fstat(file.number(), &status) != 0) throw_io_error("read", path, errno);
  if (S_ISDIR(status.st_mode)) throw_io_error("read", path, "it is a folder; give the name of a file");
  if (!S_ISREG(status.st_mode)) throw_io_error("read", path, "it is not a regular file");

  const auto size = static_cast<std::size_t>(status.st_size);
  MemoryPlan(path).add("the file", 1, static_cast<double>(size), 1).require(run, "use a machine with more memory");
  std::vector<std::byte> bytes(size);
  constexpr std::size_t kPiece = std::size_t{1} << 24U;  // between looks at the cancel flag
  for (std::size_t done = 0; done < size;) {
    run.check_cancelled();
    const ssize_t got = read(file.number(), bytes.data() + done, std::min(kPiece, size - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_io_error("read", path, errno);
    if (got == 0) throw_io_error("read", path, "it became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace unroll
