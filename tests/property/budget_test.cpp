// Memory is planned before it is taken: a fit that is refused has not taken what it was refused for, and one that is
// made has taken no more than it had planned.
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "property/methods_under_test.h"

// A sanitizer has an operator new of its own, which must stay: there nothing is counted.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNROLL_COUNTS_MEMORY 0
#else
#define UNROLL_COUNTS_MEMORY 1
#endif

namespace {

// All memory of the program goes through here.
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

/// Fits with a given budget, and counts what they allocate.
class Budget : public EveryMethod {
 protected:
  struct Outcome {
    bool is_made = false;
    double bytes = 0;  ///< the most that was allocated at one time
  };

  Outcome try_with(const Array2<double>& x, std::uint64_t budget) const {
    const std::int64_t before = peak_bytes = live_bytes.load();
    Outcome outcome;
    // All memory of an optimiser is taken before its first step.
    const auto at_once = [](const Progress&) { return Answer::FinishHere; };
    try {
      fit(x, {}, {.threads = 2, .progress = at_once, .memory_budget = budget});
      outcome.is_made = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory) << error.what();
    }
    outcome.bytes = static_cast<double>(peak_bytes - before);
    return outcome;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, Budget, testing::ValuesIn(method_names()), test_name);

TEST_P(Budget, HalfOfWhatIsNeededIsRefusedBeforeItIsTaken) {
  if (UNROLL_COUNTS_MEMORY == 0) GTEST_SKIP() << "a sanitizer keeps the memory";
  const Array2<double> x = points(1500);
  std::uint64_t enough = 1 << 8;
  while (!try_with(x, enough).is_made) enough *= 2;
  std::uint64_t least = enough / 2;  // refused
  while (static_cast<double>(enough - least) > 0.05 * static_cast<double>(enough)) {
    const std::uint64_t middle = (least + enough) / 2;
    (try_with(x, middle).is_made ? enough : least) = middle;
  }
  const Outcome refused = try_with(x, enough / 2), made = try_with(x, enough);
  EXPECT_FALSE(refused.is_made);
  EXPECT_TRUE(made.is_made);
  // What a step leaves to the next is not planned again: two steps together may take twice the budget.
  constexpr double kSmallThings = 256 << 10;
  const auto needed = static_cast<double>(enough);
  EXPECT_LT(refused.bytes, needed + kSmallThings / 8) << "was refused after it had taken that much";
  EXPECT_LT(made.bytes, 2 * needed + kSmallThings) << "has taken more than it had planned, " << needed;
}

}  // namespace
}  // namespace unroll
