#pragma once
#include <sys/stat.h>

#include <optional>
#include <string>

#include "core/descriptor.h"

namespace unroll {

/// A new file in the folder of the one that it is to replace, and gone with this object unless it did.
///
/// It has no name (O_TMPFILE), so that the kernel removes it however the process ends. linkat gives it the target's
/// name. If that is taken, it gets a name of ours, `.unroll-tmp-<process>-<count>`, and is renamed at once, because
/// linkat replaces nothing. A process that is killed between these two calls leaves the file behind under our name.
///
/// Some file systems (NFS, FAT) have no files without a name, and linkat needs a mounted /proc. Otherwise the file has
/// our name from the beginning, and a process that ends by a signal leaves it behind. No later save removes it: whether
/// its process is still at work cannot be known across machines and containers.
class TemporaryFile {
 public:
  /// `path` is the target, not yet resolved. Throws Error(Io).
  TemporaryFile(const std::string& path, const FileCalls& calls);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  int descriptor() const { return file_.number(); }
  /// Flushes to the disk and takes the target's place.
  void replace_target();

 private:
  void look_at_target();
  void create();
  void take_over_permissions() const;
  void flush() const;
  bool link_as(const std::string& name) const;
  void flush_folder() const;
  [[noreturn]] void fail(int error) const;

  std::string path_;  // in the caller's words, for messages
  FileCalls calls_;
  std::string target_;  // within the folder
  std::string name_;    // within the folder; empty: it has none, or the target's
  Descriptor folder_;   // not its path: the process may change its working directory meanwhile
  Descriptor file_;
  std::optional<struct stat> replaced_;
};

}  // namespace unroll
