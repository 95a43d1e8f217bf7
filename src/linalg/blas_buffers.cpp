#include "linalg/blas_buffers.h"

#include <pthread.h>
#include <sys/mman.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/export.h"

namespace unroll {
namespace {

/// Buffers for any number of threads. They are mostly address space: BLAS touches a few megabytes of each. They are
/// never unmapped, as OpenBLAS's own are not.
class BufferPool {
 public:
  static BufferPool& instance() {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the threads of a process share it
    static auto* pool = new BufferPool;  // outlives threads that still compute when the process ends
    // Another thread may hold the lock when this one forks; it does not exist in the child to release it.
    static const int registered =
        pthread_atfork([] { pool->mutex_.lock(); }, [] { pool->mutex_.unlock(); }, [] { pool->mutex_.unlock(); });
    static_cast<void>(registered);
    return *pool;
  }

  void* take() {
    std::unique_lock lock(mutex_);
    ++taken_;
    if (free_.empty() && !grow()) returned_.wait(lock, [&] { return !free_.empty(); });
    void* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }

  void give_back(void* buffer) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(buffer);
    }
    returned_.notify_one();
  }

  bool has_any() {
    const std::lock_guard lock(mutex_);
    return size_ > 0 || grow();
  }

  std::uint64_t taken() {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

 private:
  bool grow() {
    // OpenBLAS 0.3.21 asks for 128 MiB on x86-64 (BUFFER_SIZE); twice that leaves room for other builds.
    constexpr std::size_t kBytes = std::size_t{256} << 20U;
    void* buffer = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (buffer == MAP_FAILED) return false;
    free_.push_back(buffer);
    ++size_;
    return true;
  }

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<void*> free_;
  std::size_t size_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace

std::uint64_t blas_buffers_taken() { return BufferPool::instance().taken(); }

void reserve_blas_buffer() {
  if (!BufferPool::instance().has_any())
    throw Error(ErrorKind::OutOfMemory,
                "no address space for the work buffer of BLAS, 256 MiB; raise the limit (ulimit -v)");
}

}  // namespace unroll

// The names are OpenBLAS's; the argument (the side of the matrix) does not matter.
extern "C" {
UNROLL_API void* blas_memory_alloc(int) { return unroll::BufferPool::instance().take(); }
UNROLL_API void blas_memory_free(void* buffer) { unroll::BufferPool::instance().give_back(buffer); }
}
