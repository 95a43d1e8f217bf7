#include "writable.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

void check_writable(const std::string& path, std::string_view who) {
  if (path == "-") return;
  const auto refuse = [&](int error) {
    throw Error(ErrorKind::Io, fmt::format("{}: cannot write {}: {}", who, path, std::strerror(error)));
  };
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(EISDIR);
    if (!S_ISREG(status.st_mode)) return;  // a device or a pipe is written in place
  }
  // A file is replaced as a whole, so that its folder must be writable, not the file.
  if (access(folder_of(path).c_str(), W_OK | X_OK) != 0) refuse(errno);
}

}  // namespace unroll::cli
