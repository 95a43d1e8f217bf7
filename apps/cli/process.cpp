#include "process.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <limits>
#include <string>

namespace unroll::cli {

void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // Opened in the wrong direction, so that reading the input or writing the output gives EBADF. open() returns the
    // lowest free number, which is this one.
    static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void set_write_signals() {
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_IGN);
}

void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);  // large blocks come from the heap, too, where they are found again
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

double peak_memory_mb() {
  constexpr double kMbPerKib = 1024 / 1e6;
  // ru_maxrss comes second: it is inherited from the parent process.
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    double kib = 0;
    if (key == "VmHWM:" && status >> kib) return kib * kMbPerKib;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * kMbPerKib;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace unroll::cli
