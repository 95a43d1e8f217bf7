#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// Whether this thread runs a block now: a parallel call from inside a block runs on that thread alone.
bool& inside_block() {
  thread_local bool inside = false;
  return inside;
}

/// One call of run_blocks. Blocks are claimed in ascending order, and a claimed block always runs: so every block below
/// one that throws has run, and "the exception of the lowest block" does not depend on timing.
class Job {
 public:
  Job(Index count, const std::function<void(Index)>& block) : count_(count), block_(block) {}

  /// Claims and runs one block; false when none is left.
  bool run_one() {
    if (stopped_.load(std::memory_order_relaxed)) return false;
    const Index b = next_.fetch_add(1, std::memory_order_relaxed);
    if (b >= count_) return false;
    const bool was_inside = std::exchange(inside_block(), true);
    try {
      block_(b);
    } catch (...) {
      fail(b);
    }
    inside_block() = was_inside;
    done_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  /// Keeps the exception in flight as that of block b, and stops the claiming of further blocks.
  void fail(Index b) {
    const std::lock_guard lock(mutex_);
    if (b < failed_block_) {
      failed_block_ = b;
      error_ = std::current_exception();
    }
    stopped_.store(true, std::memory_order_relaxed);
  }

  double fraction() const {
    return static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(count_);
  }
  void rethrow_failure() const {
    if (error_) std::rethrow_exception(error_);
  }

  // Changed under the pool's lock.
  int helpers_wanted = 0;
  std::atomic<int> helpers_working = 0;

 private:
  const Index count_;
  const std::function<void(Index)>& block_;
  std::atomic<Index> next_{0};
  std::atomic<Index> done_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  Index failed_block_ = std::numeric_limits<Index>::max();
  std::exception_ptr error_;
};

/// Workers that wait for jobs. Made at first use, never at load time, and left alone at exit.
class Pool {
 public:
  /// The pool of this process. A forked child has none of its parent's threads, so it gets a pool of its own, and the
  /// parent's, whose lock may be held for ever, is forgotten.
  static Pool& instance() {
    static std::mutex creating;
    static Pool* current = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
    static const int registered = pthread_atfork([] { creating.lock(); }, [] { creating.unlock(); },
                                                 [] {
                                                   current = nullptr;
                                                   creating.unlock();
                                                 });
    static_cast<void>(registered);
    const std::lock_guard lock(creating);
    if (current == nullptr) current = new Pool;  // lives until the process ends
    return *current;
  }

  /// Asks `helpers` workers to join the job.
  void invite(Job& job, int helpers) {
    const std::lock_guard lock(mutex_);
    try {
      for (; threads_ < helpers; ++threads_) std::thread([this] { work(); }).detach();
    } catch (const std::system_error&) {
      // The system gives no more threads: the existing ones do the work.
    }
    job.helpers_wanted = helpers;
    jobs_.push_back(&job);
    wanted_.fetch_add(helpers, std::memory_order_relaxed);
    for (int woken = 0; woken < std::min(helpers, sleeping_); ++woken) wake_.notify_one();
  }

  /// Lets no further worker join the job, and waits for those that did.
  void dismiss(Job& job) {
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    wanted_.fetch_sub(job.helpers_wanted, std::memory_order_relaxed);
    if (job.helpers_working == 0) return;
    lock.unlock();
    linger([&] { return job.helpers_working == 0; });
    lock.lock();
    idle_.wait(lock, [&] { return job.helpers_working == 0; });
  }

 private:
  [[noreturn]] void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      lock.unlock();
      linger([&] { return wanted_.load(std::memory_order_relaxed) > 0; });
      lock.lock();
      Job* job = nullptr;
      ++sleeping_;
      wake_.wait(lock, [&] { return (job = job_in_need()) != nullptr; });
      --sleeping_;
      --job->helpers_wanted;
      wanted_.fetch_sub(1, std::memory_order_relaxed);
      ++job->helpers_working;
      lock.unlock();
      while (job->run_one()) {
      }
      lock.lock();
      --job->helpers_working;
      idle_.notify_all();
    }
  }

  /// Polls a few times before a thread sleeps: iterative methods bring the next job within microseconds, and waking a
  /// thread takes longer than many of these jobs. Every poll yields the core to other threads.
  template <class Arrived>
  static void linger(const Arrived& arrived) {
    constexpr int kLooks = 100;
    for (int look = 0; look < kLooks && !arrived(); ++look) std::this_thread::yield();
  }

  Job* job_in_need() const {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [](const Job* job) { return job->helpers_wanted > 0; });
    return found == jobs_.end() ? nullptr : *found;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::vector<Job*> jobs_;
  int threads_ = 0;
  int sleeping_ = 0;
  std::atomic<int> wanted_{0};  // helpers wanted by all jobs
};

/// The calling thread's share of a job: runs blocks, and reports progress between them.
void work_and_report(const Run& run, std::string_view stage, Job& job) {
  try {
    run.check_cancelled();
    while (job.run_one()) {
      if (stage.empty()) {
        run.check_cancelled();
      } else {
        run.report({.stage = stage, .fraction = job.fraction()});
      }
    }
  } catch (...) {
    job.fail(-1);  // takes precedence over the exceptions of blocks: the caller wants to stop
  }
}

}  // namespace

int thread_count(const Run& run) {
  constexpr int kMostThreads = 256;
  if (run.threads < 0) throw Error(ErrorKind::InvalidOption, "threads must be 0 (one per core) or more");
  if (run.threads > 0) return std::min(run.threads, kMostThreads);
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::clamp(CPU_COUNT(&set), 1, kMostThreads);
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
}

void detail::run_blocks(const Run& run, Index count, std::string_view stage, const std::function<void(Index)>& block) {
  if (count <= 0) return;
  Job job(count, block);
  const auto helpers = static_cast<int>(std::min<Index>(thread_count(run), count)) - 1;
  if (helpers <= 0 || inside_block()) {
    work_and_report(run, stage, job);
  } else {
    Pool& pool = Pool::instance();
    pool.invite(job, helpers);
    work_and_report(run, stage, job);
    pool.dismiss(job);
  }
  job.rethrow_failure();
  if (!stage.empty()) run.report({.stage = stage, .fraction = 1});  // other threads may have done the last blocks
}

namespace {

/// Work that cancelled callers have left behind, or may leave. A process that ends must wait for it: at exit the BLAS
/// library frees the memory that this work uses. The object is never destroyed, so that it can be used at any time.
class Uninterruptible {
 public:
  static Uninterruptible& instance() {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory, cppcoreguidelines-avoid-non-const-global-variables)
    static auto& only = *new Uninterruptible;
    return only;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    --running_;
    idle_.notify_all();
  }

 private:
  Uninterruptible() {
    std::atexit([] { instance().wait(); });
    // A forked child has none of these threads: it must not wait for them.
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] {
                     instance().running_ = 0;
                     instance().mutex_.unlock();
                   });
  }
  void wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return running_ == 0; });
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

}  // namespace

void run_abandonable(const Run& run, std::string_view stage, std::function<void()> work) {
  if (run.cancel == nullptr && !run.progress) {
    work();
    return;
  }
  struct Shared {
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    std::exception_ptr error;
  };
  const auto shared = std::make_shared<Shared>();
  auto apart = [shared, work = std::move(work)]() mutable {
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr;  // with all that it owns
    {
      const std::lock_guard lock(shared->mutex);
      shared->error = error;
      shared->done = true;
      shared->finished.notify_all();
    }
    Uninterruptible::instance().end();
  };
  Uninterruptible::instance().begin();
  try {
    std::thread(apart).detach();
  } catch (const std::system_error&) {
    apart();  // the system gives no more threads: this one does the work, and cannot stop before its end
  } catch (...) {
    Uninterruptible::instance().end();
    throw;
  }

  constexpr std::chrono::milliseconds kPatience{20};
  std::unique_lock lock(shared->mutex);
  while (!shared->finished.wait_for(lock, kPatience, [&] { return shared->done; })) {
    lock.unlock();
    run.report({.stage = stage});
    lock.lock();
  }
  if (shared->error) std::rethrow_exception(shared->error);
}

}  // namespace unroll
