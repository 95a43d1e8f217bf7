#include "core/lazy.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace unroll {
namespace {

TEST(Lazy, IsMadeOnceForAllThreads) {
  const Lazy<int> lazy;
  std::atomic<int> made = 0;
  std::vector<const int*> seen(8);
  std::vector<std::thread> threads;
  for (const int*& place : seen)
    threads.emplace_back([&] { place = &lazy.get([&] { return std::make_unique<const int>(++made); }); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(seen, std::vector<const int*>(8, seen.front()));
}

TEST(Lazy, IsTriedAgainAfterAFailure) {
  const Lazy<int> lazy;
  const auto fail = []() -> std::unique_ptr<const int> { throw std::runtime_error("not now"); };
  EXPECT_THROW(lazy.get(fail), std::runtime_error);
  EXPECT_EQ(lazy.get([] { return std::make_unique<const int>(7); }), 7);
  EXPECT_EQ(lazy.get(fail), 7);
}

}  // namespace
}  // namespace unroll
