#include "core/descriptor.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "core/file.h"
#include "unroll/core/error.h"

namespace unroll {

Descriptor open_at(int folder, const std::string& name, int flags, mode_t mode, const FileCalls& calls) {
  int number = -1;
  do {
    number = calls.openat(folder, name.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  Descriptor opened(number);
  if (number < 0 || number > STDERR_FILENO) return opened;
  return Descriptor(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

void throw_io_error(std::string_view verb, const std::string& path, std::string_view reason) {
  throw Error(ErrorKind::Io, fmt::format("cannot {} '{}': {}", verb, path, reason));
}

void throw_io_error(std::string_view verb, const std::string& path, int error) {
  if (error == EPIPE) throw BrokenPipe(fmt::format("cannot {} '{}': nobody reads it any more", verb, path));
  throw_io_error(verb, path, std::generic_category().message(error));
}

}  // namespace unroll
