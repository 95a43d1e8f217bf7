#pragma once
#include <numeric>
#include <utility>
#include <vector>

#include "unroll/core/types.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// Union-find by size with path halving (Tarjan & van Leeuwen 1984): almost constant time per call.
class DisjointSets {
 public:
  explicit DisjointSets(Index n)
      : parent_(static_cast<std::size_t>(n)), size_(static_cast<std::size_t>(n), 1), count_(n) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  /// The point that represents the set of i.
  Index find(Index i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  /// False if they were in one set already.
  bool join(Index i, Index j) {
    i = find(i);
    j = find(j);
    if (i == j) return false;
    if (size(i) < size(j)) std::swap(i, j);
    parent(j) = i;
    size(i) += size(j);
    --count_;
    return true;
  }
  Index count() const { return count_; }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  Index& size(Index i) { return size_[static_cast<std::size_t>(i)]; }

  std::vector<Index> parent_;
  std::vector<Index> size_;
  Index count_;
};

/// The sets of points 0 to n - 1, numbered in the order of their lowest points.
Components numbered(DisjointSets& sets, Index n);

}  // namespace unroll
