// Memory is planned before it is taken: a fit that is refused has not taken what it was refused for, and one that is
// made has taken no more than it had planned.
#include <malloc.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <new>

#include "property/methods_under_test.h"
#include "support/distances.h"
#include "support/matrices.h"
#include "unroll/registry.h"

// A sanitizer has an operator new of its own, which must stay: there nothing is counted.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNROLL_COUNTS_MEMORY 0
#else
#define UNROLL_COUNTS_MEMORY 1
#endif

namespace {

// All memory of the program goes through here.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): operator new reaches nothing else
std::atomic<std::int64_t> live_bytes{0}, peak_bytes{0};

#if UNROLL_COUNTS_MEMORY
void* counted_memory(std::size_t size, std::size_t alignment) {
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  const std::int64_t now = live_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
  std::int64_t peak = peak_bytes;
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {
  }
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
#endif

}  // namespace

#if UNROLL_COUNTS_MEMORY
void* operator new(std::size_t size) { return counted_memory(size, 1); }
void* operator new[](std::size_t size) { return counted_memory(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_memory(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted_memory(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return counted_memory(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
#endif

namespace unroll {
namespace {

struct Attempt {
  bool is_made = false;
  double bytes = 0;  ///< the most that was allocated at one time
};
using Fit = std::function<void(const unroll::Run&)>;

/// Fits with a given budget, and counts what that allocates.
Attempt try_with(const Fit& fit, std::uint64_t budget) {
  const std::int64_t before = peak_bytes = live_bytes.load();
  Attempt attempt;
  // All memory of an optimiser is taken before its first step.
  const auto at_once = [](const Progress&) { return Answer::FinishHere; };
  try {
    fit({.threads = 2, .progress = at_once, .memory_budget = budget});
    attempt.is_made = true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory) << error.what();
  }
  attempt.bytes = static_cast<double>(peak_bytes - before);
  return attempt;
}

void expect_planned(const Fit& fit) {
  std::uint64_t enough = 1 << 8;
  while (!try_with(fit, enough).is_made) enough *= 2;
  std::uint64_t least = enough / 2;  // refused
  while (static_cast<double>(enough - least) > 0.05 * static_cast<double>(enough)) {
    const std::uint64_t middle = (least + enough) / 2;
    (try_with(fit, middle).is_made ? enough : least) = middle;
  }
  const Attempt refused = try_with(fit, enough / 2), made = try_with(fit, enough);
  EXPECT_FALSE(refused.is_made);
  EXPECT_TRUE(made.is_made);
  // What a step leaves to the next is not planned again: two steps together may take twice the budget.
  constexpr double kSmallThings = 256 << 10;
  const auto needed = static_cast<double>(enough);
  EXPECT_LT(refused.bytes, needed + kSmallThings / 8) << "was refused after it had taken that much";
  EXPECT_LT(made.bytes, 2 * needed + kSmallThings) << "has taken more than it had planned, " << needed;
}

class Budget : public EveryMethod {};
INSTANTIATE_TEST_SUITE_P(Registry, Budget, testing::ValuesIn(method_names()), test_name);

TEST_P(Budget, HalfOfWhatIsNeededIsRefusedBeforeItIsTaken) {
  if (UNROLL_COUNTS_MEMORY == 0) GTEST_SKIP() << "a sanitizer keeps the memory";
  const Array2<double> x = points(1500);
  expect_planned([&](const unroll::Run& run) { fit(x, {}, run); });
}

// What comes with the input may make a matrix of pairs of it.
TEST(BudgetOfPairs, WeightsAndUnknownDistancesArePlanned) {
  if (UNROLL_COUNTS_MEMORY == 0) GTEST_SKIP() << "a sanitizer keeps the memory";
  constexpr Index kPoints = 300;
  const Array2<double> x = normal_matrix(kPoints, 3, 1);
  Array2<double> weights(kPoints, kPoints), distances = distances_between(x);
  for (Index i = 0; i < kPoints; ++i)
    for (Index j = 0; j < kPoints; ++j) weights(i, j) = 1 + 0.001 * static_cast<double>(i + j);
  distances(3, 5) = distances(5, 3) = std::nan("");
  SparseMatrix upper{.rows = kPoints, .cols = kPoints};
  for (Index i = 0; i < kPoints; ++i) {
    for (Index j = i + 1; j < kPoints; ++j)
      if (i + j > 9) upper.columns.push_back(j), upper.values.push_back(distances(i, j));
    upper.offsets.push_back(std::ssize(upper.columns));
  }
  Input weighted(x);
  weighted.pair_weights = PointsView(weights);
  for (const Input& input : {weighted, Input(DistancesView{distances}), Input(SparseDistances(upper))})
    expect_planned([&](const unroll::Run& run) {
      find_method("sammon").fit(input, {{"n_iter", std::int64_t{1}}}, run);
    });
}

}  // namespace
}  // namespace unroll
