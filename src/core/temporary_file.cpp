#include "core/temporary_file.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace unroll {
namespace {

namespace fs = std::filesystem;

/// The file that a save to `path` replaces: links are followed, also to a file that does not exist yet, so that the
/// link itself survives. Links among the folders are left to the kernel.
fs::path behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // the kernel's own limit
  fs::path place(path);
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(place, error)); ++links) {
    if (links == kMostLinks) throw_io_error("write", path, ELOOP);
    const fs::path next = fs::read_symlink(place, error);
    if (error) throw_io_error("write", path, error.value());
    place = place.parent_path() / next;
  }
  return place;
}

std::string next_name() {
  static std::atomic<unsigned> count{0};
  return fmt::format(".unroll-tmp-{}-{}", getpid(), count++);
}

/// A path that leads to an open file even if it has no name; without a mounted /proc it leads nowhere.
std::string path_of(const Descriptor& file) { return fmt::format("/proc/self/fd/{}", file.number()); }

}  // namespace

TemporaryFile::TemporaryFile(const std::string& path, const FileCalls& calls) : path_(path), calls_(calls) {
  const fs::path place = behind_links(path);
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  target_ = place.filename().string();
  if (target_.empty() || target_ == "." || target_ == "..") fail(EISDIR);
  folder_ = open_at(AT_FDCWD, folder.string(), O_PATH | O_DIRECTORY);
  if (!folder_ && errno == ENOENT)
    throw_io_error("write", path_, fmt::format("the folder '{}' does not exist; create it first", folder.string()));
  if (!folder_) fail(errno);
  look_at_target();
  create();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlinkat(folder_.number(), name_.c_str(), 0);
}

void TemporaryFile::look_at_target() {
  struct stat status {};
  if (fstatat(folder_.number(), target_.c_str(), &status, 0) != 0) {
    if (errno == ENOENT) return;
    fail(errno);
  }
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  // A rename asks the folder alone; a file that was made read-only should stay as it is all the same.
  if (faccessat(folder_.number(), target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  replaced_ = status;
}

void TemporaryFile::create() {
  const mode_t mode = replaced_ ? 0600 : 0666;  // never wider open than what it replaces
  file_ = open_at(folder_.number(), ".", O_WRONLY | O_TMPFILE, mode, calls_);
  if (file_ && faccessat(AT_FDCWD, path_of(file_).c_str(), F_OK, AT_EACCESS) == 0) return;
  // Systems without such files refuse them with various errors. Any other error comes again here.
  std::string name;
  do {
    name = next_name();
    file_ = open_at(folder_.number(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, calls_);
  } while (!file_ && errno == EEXIST);
  if (!file_) fail(errno);
  name_ = name;
}

void TemporaryFile::replace_target() {
  if (replaced_) take_over_permissions();
  flush();
  if (name_.empty() && link_as(target_)) return flush_folder();
  while (name_.empty())
    if (const std::string name = next_name(); link_as(name)) name_ = name;
  if (calls_.renameat(folder_.number(), name_.c_str(), folder_.number(), target_.c_str()) != 0) fail(errno);
  name_.clear();
  flush_folder();
}

void TemporaryFile::flush() const {
  while (calls_.fsync(file_.number()) != 0)
    if (errno != EINTR) fail(errno);
  // Some file systems report a failed write when a descriptor is closed. The link needs ours, so we close a copy.
  // Linux closes a descriptor even when the call is interrupted.
  const int copy = fcntl(file_.number(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0 || (calls_.close(copy) != 0 && errno != EINTR)) fail(errno);
}

/// False if the name is taken.
bool TemporaryFile::link_as(const std::string& name) const {
  const std::string path = path_of(file_);
  if (calls_.linkat(AT_FDCWD, path.c_str(), folder_.number(), name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) fail(errno);
  return false;
}

void TemporaryFile::take_over_permissions() const {
  const int file = file_.number();
  mode_t mode = replaced_->st_mode & 0777U;
  constexpr auto kSameUser = static_cast<uid_t>(-1);
  if (fchown(file, replaced_->st_uid, replaced_->st_gid) != 0 && fchown(file, kSameUser, replaced_->st_gid) != 0)
    mode &= ~mode_t{S_IRWXG};  // what was for that group is not for ours
  if (fchmod(file, mode) != 0) fail(errno);
}

void TemporaryFile::flush_folder() const {
  const Descriptor readable = open_at(folder_.number(), ".", O_RDONLY | O_DIRECTORY);
  if (!readable || calls_.fsync(readable.number()) == 0) return;
  if (errno == EINVAL || errno == ENOTSUP) return;  // this file system has no such thing
  throw_io_error("write", path_,
                 fmt::format("it is complete, but its folder could not be flushed to the disk: {}",
                             std::generic_category().message(errno)));
}

void TemporaryFile::fail(int error) const {
  if (error == EISDIR) throw_io_error("write", path_, "it is a folder; give the name of a file");
  throw_io_error("write", path_, error);
}

}  // namespace unroll
