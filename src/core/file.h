#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "unroll/core/error.h"
#include "unroll/core/run.h"

/// Whole files: written completely or not at all, read with their size known beforehand.
namespace unroll {

class TemporaryFile;

/// Thrown, instead of a plain Error(Io), when whoever read our output has gone (`unroll embed ... | head`). A command
/// catches this type before Error and ends without a word. Only a process that ignores SIGPIPE ever sees it: by default
/// the signal ends the process first.
class UNROLL_API BrokenPipe : public Error {
 public:
  explicit BrokenPipe(const std::string& message) : Error(ErrorKind::Io, message) {}
};

/// Writes a file so that its name stands for the old content or the complete new one at every moment, whatever fails
/// and however the process ends: a temporary in the same folder, flushed to the disk, takes the name, and the folder is
/// flushed. Of several writers of one name, the last to commit wins. A process that ends by a signal leaves nothing
/// behind on most file systems; TemporaryFile names the exceptions.
///
/// The permissions (and, where allowed, the owner) of a file that is replaced are kept; a symbolic link is kept and the
/// file it points to replaced. What is not a regular file (a device, a pipe) cannot be replaced and is written
/// directly, and so is "-", the standard output.
///
/// Every failure is an Error(Io) with the path; the old content is then untouched and the temporary gone. (One failure
/// comes later: when the folder cannot be flushed, the name already stands for the complete new content.)
class UNROLL_API AtomicFile {
 public:
  explicit AtomicFile(std::string path, const FileCalls& calls = {});
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Without a commit, the file never was.
  ~AtomicFile();

  void write(const void* data, std::size_t size);
  /// Once, after the last write.
  void commit();

 private:
  void flush();
  void write_through(const std::byte* data, std::size_t size);

  std::string path_;  // in the caller's words, for messages
  FileCalls calls_;
  std::unique_ptr<TemporaryFile> temporary_;  // none: written directly
  Descriptor opened_;                         // of a device or pipe
  int target_ = -1;                           // where the bytes go; -1: committed or failed
  std::vector<std::byte> buffer_;
};

/// The bytes of a regular file. Its size is held against the memory budget before anything is allocated.
UNROLL_API std::vector<std::byte> read_file(const std::string& path, const Run& run = {});

}  // namespace unroll
