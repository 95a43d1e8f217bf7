#pragma once
#include <atomic>
#include <utility>
#include <vector>

#include "core/at.h"
#include "unroll/core/types.h"

namespace unroll {

/// Union-find for concurrent threads (Anderson & Woll 1991). The lower root becomes the root, so that the sets, the
/// number of `join` that return true, and the final roots do not depend on the order of calls.
class ConcurrentSets {
 public:
  explicit ConcurrentSets(Index n) : parent_(at(n)) {
    for (Index i = 0; i < n; ++i) parent_[at(i)].store(i, std::memory_order_relaxed);
  }

  /// The lowest point of the set of i, unless another thread is joining that set.
  Index find(Index i) {
    for (;;) {
      const Index up = parent(i);
      if (up == i) return i;
      const Index next = parent(up);
      // A value that another thread has stored meanwhile is also an ancestor.
      if (next != up) parent_[at(i)].store(next, std::memory_order_relaxed);
      i = next;
    }
  }

  /// False if they were in one set already.
  bool join(Index i, Index j) {
    for (;;) {
      i = find(i);
      j = find(j);
      if (i == j) return false;
      if (i < j) std::swap(i, j);
      Index still_root = i;
      if (parent_[at(i)].compare_exchange_strong(still_root, j, std::memory_order_relaxed)) return true;
    }
  }

 private:
  Index parent(Index i) const { return parent_[at(i)].load(std::memory_order_relaxed); }

  std::vector<std::atomic<Index>> parent_;
};

}  // namespace unroll
