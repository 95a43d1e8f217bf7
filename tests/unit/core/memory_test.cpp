#include "core/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/expect_error.h"
#include "support/sanitizers.h"

namespace unroll {
namespace {

TEST(CheckedSize, RefusesWhatDoesNotFit) {
  EXPECT_EQ(checked_size(3, 4, 8), 12);
  EXPECT_EQ(checked_size(0, Index{1} << 62, 8), 0);
  for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{
           {Index{1} << 40, Index{1} << 40}, {Index{1} << 31, Index{1} << 31}, {-1, 5}, {5, -1}}) {
    const Index r = rows, c = cols;
    expect_error(ErrorKind::OutOfMemory, "does not fit", [&] { Array2<double>(r, c); });
  }
}

TEST(MemoryPlan, AddsUpAndNamesTheLargestPart) {
  MemoryPlan plan;
  plan.add("a list", 1000, 1, 8).add("the n x n distances", 70000, 70000, 8);
  EXPECT_DOUBLE_EQ(plan.total(), 8000 + 8.0 * 70000 * 70000);
  expect_error(ErrorKind::OutOfMemory,
               "needs 36.5 GiB of memory (36.5 GiB for the n x n distances), more than the budget of 1.0 GiB; "
               "use n_landmarks",
               [&] { plan.require({.memory_budget = std::uint64_t{1} << 30U}, "use n_landmarks"); });
  EXPECT_NO_THROW(plan.require({.memory_budget = std::uint64_t{1} << 40U}, "use n_landmarks"));
}

TEST(MemoryPlan, DefaultBudgetRefusesMoreThanTheMachineHas) {
  MemoryPlan plan;
  plan.add("everything", static_cast<double>(available_memory()), 1, 1);
  expect_error(ErrorKind::OutOfMemory, "everything", [&] { plan.require({}, "use less"); });
  EXPECT_GT(available_memory(), 0U);
}

TEST(ResizeLarge, TouchesItsOwnPagesAndNoOther) {
  for (const std::size_t size : {0UL, 1UL, 1UL << 18U, (1UL << 23U) + 5}) {
    std::vector<char> before(1UL << 21U, 'b');
    std::vector<double> entries;
    resize_large(entries, size, {.threads = 3});
    EXPECT_EQ(entries, std::vector<double>(size));
    std::fill(entries.begin(), entries.end(), 7.0);
    touch_pages(entries.data(), entries.size() * sizeof(double), {.threads = 3});  // keeps what is there
    EXPECT_EQ(entries, std::vector<double>(size, 7.0));
    EXPECT_EQ(before, std::vector<char>(1UL << 21U, 'b'));
  }
}

TEST(AvailableMemory, KnowsTheLimitOfTheAddressSpace) {
  if (is_sanitized()) GTEST_SKIP() << "the shadow memory of sanitizers exceeds any such limit";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{std::uint64_t{3} << 30U, std::uint64_t{3} << 30U};
    setrlimit(RLIMIT_AS, &limit);
    _exit(available_memory() <= (std::uint64_t{3} << 30U) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace unroll
