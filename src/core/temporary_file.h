#pragma once
#include <sys/stat.h>

#include <optional>
#include <string>

#include "core/descriptor.h"
#include "core/unfinished_file.h"

namespace unroll {

/// A new file beside the one that it is to replace, and gone with this object unless it did.
///
/// Its name is `.<target>.unroll-tmp-<process>-<nonce>-<count>`. A process that is killed leaves it behind; the next
/// save of the same target removes it, once its process is gone.
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
  void remove_leftovers() const;
  void create();
  void take_over_permissions() const;
  void flush_folder() const;
  [[noreturn]] void fail(int error) const;

  std::string path_;  // in the caller's words, for messages
  FileCalls calls_;
  std::string target_;  // within the folder
  std::string name_;    // within the folder; empty: not created, or renamed
  std::string prefix_;  // of the names of all temporaries of this target
  Descriptor folder_;   // not its path: the process may change its working directory meanwhile
  Descriptor file_;
  std::optional<UnfinishedFile> unfinished_;
  std::optional<struct stat> replaced_;
};

}  // namespace unroll
