#include "core/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <thread>

#include "support/sanitizers.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

double sum_of_roots(int threads) {
  return parallel_reduce(
      unroll::Run{.threads = threads}, 100000, 1000, 0.0,
      [](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) sum += std::sqrt(static_cast<double>(i));
        return sum;
      },
      [](double a, double b) { return a + b; });
}

TEST(Parallel, EveryPieceRunsOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    std::vector<int> visits(1003);
    parallel_for(unroll::Run{.threads = threads}, 1003, 10, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 1003) << threads << " threads";
  }
}

TEST(Parallel, UsesTheThreadsAskedFor) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(unroll::Run{.threads = 3}, 60, 1, [&](Index, Index) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3U);
}

TEST(Parallel, SumsHaveTheSameBitsAtAnyThreadCount) {
  const double one = sum_of_roots(1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(one, sum_of_roots(threads));
}

TEST(Parallel, TheLowestExceptionReachesTheCaller) {
  for (const int threads : {1, 2, 3, 8}) {
    try {
      parallel_for(unroll::Run{.threads = threads}, 100, 1, [](Index begin, Index) {
        if (begin >= 7) throw Error(ErrorKind::InvalidData, std::to_string(begin));
      });
      FAIL() << "nothing thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

TEST(Parallel, NestedCallsRunOnTheThreadTheyAreIn) {
  std::atomic<int> total = 0;
  parallel_for(unroll::Run{.threads = 2}, 8, 1, [&](Index, Index) {
    const auto outer = std::this_thread::get_id();
    parallel_for(unroll::Run{.threads = 2}, 8, 1, [&](Index, Index) {
      EXPECT_EQ(std::this_thread::get_id(), outer);
      ++total;
    });
  });
  EXPECT_EQ(total, 64);
}

TEST(Parallel, SeveralCallersAtOnce) {
  std::vector<std::thread> callers;
  std::vector<double> sums(4);
  for (double& sum : sums) callers.emplace_back([&sum] { sum = sum_of_roots(3); });
  for (auto& caller : callers) caller.join();
  for (const double sum : sums) EXPECT_EQ(sum, sum_of_roots(1));
}

TEST(Parallel, ProgressComesFromTheCallingThreadAndCanStop) {
  const auto caller = std::this_thread::get_id();
  int calls = 0;
  const unroll::Run run{.threads = 2, .progress = [&](const Progress& progress) {
                          EXPECT_EQ(std::this_thread::get_id(), caller);
                          EXPECT_EQ(progress.stage, "work");
                          EXPECT_GT(progress.fraction, 0);
                          EXPECT_LE(progress.fraction, 1);
                          return ++calls < 3;
                        }};
  std::atomic<int> blocks = 0;
  const auto work = [&] {
    parallel_for(
        run, 10000, 1,
        [&](Index, Index) {
          ++blocks;
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        },
        "work");
  };
  try {
    work();
    FAIL() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
  EXPECT_EQ(calls, 3);
  EXPECT_LT(blocks, 10000);
}

TEST(Parallel, CancelFlagStops) {
  std::atomic<bool> cancel = true;
  EXPECT_THROW(parallel_for(unroll::Run{.threads = 2, .cancel = &cancel}, 10, 1, [](Index, Index) {}), Error);
}

TEST(Parallel, WorksInAForkedChild) {
  const double expected = sum_of_roots(2);
  const pid_t child = fork();
  if (child == 0) _exit(sum_of_roots(2) == expected ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(RunInterruptible, ReturnsAtOnceWhenCancelled) {
  std::atomic<bool> cancel = false;
  const auto release = std::make_shared<std::atomic<bool>>(false);
  const unroll::Run run{.progress = [&](const Progress&) {
    cancel = true;
    return false;
  }};
  EXPECT_THROW(run_abandonable(run, "slow",
                               [release] {
                                 while (!*release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                               }),
               Error);
  *release = true;
  EXPECT_TRUE(cancel);
}

TEST(RunInterruptible, AForkedChildDoesNotWaitForWhatWasLeftBehind) {
  if (is_sanitized()) GTEST_SKIP() << "sanitizers look for the threads that a child has not";
  const auto release = std::make_shared<std::atomic<bool>>(false);
  EXPECT_THROW(run_abandonable({.progress = [](const Progress&) { return false; }}, "slow",
                               [release] {
                                 while (!*release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                               }),
               Error);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // ends it should it wait for ever
    std::exit(0);
  }
  int status = -1;
  const bool has_ended = waitpid(child, &status, 0) == child;
  *release = true;
  EXPECT_TRUE(has_ended && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(RunInterruptible, CarriesResultsAndExceptions) {
  std::atomic<bool> cancel = false;
  const unroll::Run run{.cancel = &cancel};
  const auto answer = std::make_shared<int>(0);
  run_abandonable(run, "quick", [answer] { *answer = 42; });
  EXPECT_EQ(*answer, 42);
  EXPECT_THROW(run_abandonable(run, "bad", [] { throw Error(ErrorKind::Internal, "no"); }), Error);
}

}  // namespace
}  // namespace unroll
