#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The memory that this process can still take: what the kernel reports as available, within the limits of its control
/// group and of RLIMIT_AS.
std::uint64_t available_memory();

/// Bytes this run may take: what it asks for, or 80 % of what is available now (but not less than 16 MiB).
std::uint64_t memory_budget(const Run& run);

/// Reserves `size` entries, in large pages if they are many.
template <class T>
void reserve_large(std::vector<T>& entries, std::size_t size) {
  entries.reserve(size);
  use_large_pages(entries.data(), size * sizeof(T));
}

/// Lets all threads touch memory that has just been allocated, if it is large. The kernel clears a page at the first
/// touch, which for one thread may take longer than the computation that follows.
void touch_pages(void* data, std::size_t bytes, const Run& run);

/// `size` entries in an empty vector, on large pages that all threads have touched.
template <class T>
void resize_large(std::vector<T>& entries, std::size_t size, const Run& run) {
  reserve_large(entries, size);
  touch_pages(entries.data(), size * sizeof(T), run);
  entries.resize(size);
}

/// The sum of what a computation is about to allocate. A plan can only refuse; it never chooses another algorithm, or
/// the answer would depend on the machine's load.
class MemoryPlan {
 public:
  MemoryPlan() = default;
  /// A reader's plan is reported under the name of its file.
  explicit MemoryPlan(std::string who) : who_(std::move(who)) {}
  /// rows x cols entries of `bytes` each, for `what`.
  MemoryPlan& add(std::string_view what, double rows, double cols, double bytes);
  double total() const;

  /// Throws OutOfMemory with the bytes, the budget, the largest part and the advice `alternative`.
  void require(const Run& run, std::string_view alternative) const;

 private:
  struct Part {
    std::string what;
    double bytes;
  };
  std::string who_;
  std::vector<Part> parts_;
};

}  // namespace unroll
