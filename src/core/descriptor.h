#pragma once
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace unroll {

/// The system calls that a save makes; tests put failing ones in their place.
struct FileCalls {
  int (*openat)(int folder, const char* name, int flags, ...) = ::openat;
  ssize_t (*write)(int descriptor, const void* data, std::size_t size) = ::write;
  int (*fsync)(int descriptor) = ::fsync;
  int (*close)(int descriptor) = ::close;
  int (*linkat)(int from_folder, const char* from, int to_folder, const char* to, int flags) = ::linkat;
  int (*renameat)(int from_folder, const char* from, int to_folder, const char* to) = ::renameat;
};

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// openat(2), tried again after a signal. In a process that was started with standard streams closed, the file does
/// not become one of them: what somebody prints must not end up in it. False, with errno set, when it fails.
Descriptor open_at(int folder, const std::string& name, int flags, mode_t mode = 0, const FileCalls& calls = {});

/// Throws Error(Io), "cannot <verb> '<path>': <reason>", or BrokenPipe when the error is EPIPE.
[[noreturn]] void throw_io_error(std::string_view verb, const std::string& path, int error);
[[noreturn]] void throw_io_error(std::string_view verb, const std::string& path, std::string_view reason);

}  // namespace unroll
