#include "core/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "core/at.h"
#include "core/parallel.h"
#include "core/text.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
/// Small plans pass without asking the machine: reading /proc costs more than they do.
constexpr std::uint64_t kAlwaysFine = std::uint64_t{16} << 20;

using LargePage = std::array<std::byte, std::size_t{1} << 21>;

/// Those that lie within this memory.
std::span<LargePage> large_pages(void* data, std::size_t bytes) {
  void* begin = data;
  if (std::align(sizeof(LargePage), sizeof(LargePage), begin, bytes) == nullptr) return {};
  return {static_cast<LargePage*>(begin), bytes / sizeof(LargePage)};
}

/// The number in a one-line file of the kernel; nothing when there is no such file or it says "max".
std::optional<std::uint64_t> number_in_file(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::uint64_t available_to_system() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::uint64_t kib = 0;
    if (key == "MemAvailable:" && file >> kib) return kib * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t left_of(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used) {
  if (!limit) return kUnlimited;
  return *limit - std::min(*limit, used.value_or(0));
}

std::uint64_t available_to_control_group() {
  // Version 2, as a container sees it, then version 1.
  return std::min(left_of(number_in_file("/sys/fs/cgroup/memory.max"), number_in_file("/sys/fs/cgroup/memory.current")),
                  left_of(number_in_file("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
                          number_in_file("/sys/fs/cgroup/memory/memory.usage_in_bytes")));
}

std::uint64_t available_to_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const auto pages = number_in_file("/proc/self/statm");  // its first number is the size of the address space
  return left_of(limit.rlim_cur, pages.value_or(0) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

void check_view(const void* data, Index rows, Index cols) {
  if (rows < 0 || cols < 0)
    throw Error(ErrorKind::InvalidData, fmt::format("a table of {} x {} numbers: a size is negative", rows, cols));
  if (data == nullptr && rows > 0 && cols > 0)
    throw Error(ErrorKind::InvalidData, fmt::format("a table of {} x {} numbers at a null pointer", rows, cols),
                "give the address of the first number");
}

Index rows_in(std::size_t numbers, Index cols) {
  if (cols < 1 || numbers % static_cast<std::size_t>(cols) != 0)
    throw Error(ErrorKind::InvalidData, fmt::format("{} numbers are no rows of {} columns", numbers, cols),
                "give the number of features");
  return static_cast<Index>(numbers / static_cast<std::size_t>(cols));
}

Index checked_size(Index rows, Index cols, std::size_t bytes_per_entry) {
  Index entries = 0;
  Index bytes = 0;
  if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &entries) ||
      __builtin_mul_overflow(entries, static_cast<Index>(bytes_per_entry), &bytes))
    throw Error(ErrorKind::OutOfMemory, fmt::format("a matrix of {} x {} entries does not fit any memory", rows, cols));
  return entries;
}

std::uint64_t available_memory() {
  return std::min({available_to_system(), available_to_control_group(), available_to_address_space()});
}

std::uint64_t memory_budget(const Run& run) {
  return run.memory_budget ? *run.memory_budget : std::max(kAlwaysFine, available_memory() / 5 * 4);
}

void use_large_pages(void* data, std::size_t bytes) {
  if (const auto pages = large_pages(data, bytes); !pages.empty())
    madvise(pages.data(), pages.size_bytes(), MADV_HUGEPAGE);
}

void touch_pages(void* data, std::size_t bytes, const Run& run) {
  constexpr Index kPages = 8;  // at a time
  const auto pages = large_pages(data, bytes);
  parallel_for(run, std::ssize(pages), kPages, [&](Index begin, Index end) {
    const auto some = pages.subspan(at(begin), at(end - begin));
    madvise(some.data(), some.size_bytes(), MADV_POPULATE_WRITE);  // old kernels refuse: then the first use touches it
  });
}

MemoryPlan& MemoryPlan::add(std::string_view what, double rows, double cols, double bytes) {
  parts_.push_back({std::string(what), rows * cols * bytes});
  return *this;
}

double MemoryPlan::total() const {
  double sum = 0;
  for (const auto& part : parts_) sum += part.bytes;
  return sum;
}

void MemoryPlan::require(const Run& run, std::string_view alternative) const {
  const double needed = total();
  if (!run.memory_budget && needed <= static_cast<double>(kAlwaysFine)) return;
  const auto budget = static_cast<double>(memory_budget(run));
  if (needed <= budget) return;
  const auto largest =
      std::max_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.bytes < b.bytes; });
  throw Error(ErrorKind::OutOfMemory,
              {.who = who_,
               .problem = fmt::format("needs {} of memory ({} for {}), more than the budget of {}", human_bytes(needed),
                                      human_bytes(largest->bytes), largest->what, human_bytes(budget)),
               .advice = std::string(alternative)});
}

}  // namespace unroll
