#include "core/temporary_file.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

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

/// Tells this process from another, dead or in another container, that has or had the same number.
std::uint32_t process_nonce() {
  static const std::uint32_t nonce = [] {
    std::uint32_t bits = 0;
    const bool drawn = getrandom(&bits, sizeof bits, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof bits);
    return drawn ? bits : 0;  // 0 is fair enough: names only need to differ
  }();
  return nonce;
}

std::string next_name(const std::string& prefix) {
  static std::atomic<std::uint64_t> count{0};
  return fmt::format("{}{}-{:08x}-{}", prefix, getpid(), process_nonce(), count++);
}

struct Owner {
  pid_t process = 0;
  std::uint32_t nonce = 0;
};

/// Who made the temporary of that name; nothing when it is not a name of ours.
std::optional<Owner> owner_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  Owner owner;
  std::uint64_t count = 0;
  const char* at = name.data() + prefix.size();
  const char* const end = name.data() + name.size();
  const auto read = [&](auto& value, int base, bool last) {
    const auto [stop, error] = std::from_chars(at, end, value, base);
    if (error != std::errc() || (last ? stop != end : stop == end || *stop != '-')) return false;
    at = stop + 1;
    return true;
  };
  if (!read(owner.process, 10, false) || !read(owner.nonce, 16, false) || !read(count, 10, true)) return std::nullopt;
  return owner.process > 0 ? std::optional(owner) : std::nullopt;
}

/// Whether the process that made a temporary is gone. Process numbers alone do not tell when the folder is shared
/// between containers, so the living also hold a lock on their file.
bool is_left_over(int folder, const std::string& name, const Owner& owner) {
  const bool our_number = owner.process == getpid();
  if (our_number && owner.nonce == process_nonce()) return false;
  if (!our_number && (kill(owner.process, 0) == 0 || errno != ESRCH)) return false;
  const Descriptor file = open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return file && (flock(file.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  Descriptor readable = open_at(folder, ".", O_RDONLY | O_DIRECTORY);
  const std::unique_ptr<DIR, CloseFolder> listing(readable ? fdopendir(readable.number()) : nullptr);
  if (!listing) return names;  // a folder may be open to writing alone
  readable.release();
  while (const dirent* entry = readdir(listing.get())) names.emplace_back(entry->d_name);
  return names;
}

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

  constexpr std::size_t kLongestPart = 160;  // of the target's name, so that ours stays within the system's 255
  prefix_ = fmt::format(".{}.unroll-tmp-", std::string_view(target_).substr(0, kLongestPart));
  remove_leftovers();
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

void TemporaryFile::remove_leftovers() const {
  for (const auto& name : names_in(folder_.number())) {
    const auto owner = owner_of(name, prefix_);
    if (owner && is_left_over(folder_.number(), name, *owner)) unlinkat(folder_.number(), name.c_str(), 0);
  }
}

void TemporaryFile::create() {
  constexpr int kAttempts = 100;
  const mode_t mode = replaced_ ? 0600 : 0666;  // never wider open than what it replaces
  for (int attempt = 0; attempt < kAttempts && !file_; ++attempt) {
    const std::string name = next_name(prefix_);
    unfinished_.emplace(folder_.number(), name);
    file_ = open_at(folder_.number(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, calls_);
    if (file_) name_ = name;
    if (!file_ && errno != EEXIST) fail(errno);
  }
  if (!file_) fail(EEXIST);
  static_cast<void>(flock(file_.number(), LOCK_EX | LOCK_NB));  // see is_left_over; not every file system can
}

void TemporaryFile::replace_target() {
  if (replaced_) take_over_permissions();
  while (calls_.fsync(file_.number()) != 0)
    if (errno != EINTR) fail(errno);
  // Linux closes the file even when close is interrupted, and its data is on the disk by now.
  if (calls_.close(file_.release()) != 0 && errno != EINTR) fail(errno);
  if (calls_.renameat(folder_.number(), name_.c_str(), folder_.number(), target_.c_str()) != 0) fail(errno);
  name_.clear();
  unfinished_.reset();
  flush_folder();
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
