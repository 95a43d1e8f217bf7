#pragma once
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

struct Candidate {
  double distance = 0;
  Index index = 0;

  bool operator<(const Candidate& other) const {
    return distance < other.distance || (distance == other.distance && index < other.index);
  }
  bool operator==(const Candidate&) const = default;
};

/// What a query asks for: the `count` nearest of the points within `radius`.
struct SearchLimits {
  static constexpr Index kAll = std::numeric_limits<Index>::max();
  Index count = kAll;
  double radius = std::numeric_limits<double>::infinity();
};

/// The best candidates seen so far, by distance and then index. The result does not depend on the order in which they
/// came.
class NearestList {
 public:
  NearestList(SearchLimits limits) : wanted_(limits), limit_(limits.radius) {}

  /// Candidates farther than this cannot enter any more.
  double limit() const { return limit_; }

  void add(double distance, Index index) {
    if (!(distance <= limit_)) return;
    const Candidate candidate{distance, index};
    if (static_cast<Index>(best_.size()) < wanted_.count) {
      best_.push_back(candidate);
      if (wanted_.count == SearchLimits::kAll) return;
      is_short() ? sink(best_.size() - 1) : std::push_heap(best_.begin(), best_.end());
      if (static_cast<Index>(best_.size()) == wanted_.count) limit_ = worst().distance;
    } else if (candidate < worst()) {
      replace_worst(candidate);
      limit_ = worst().distance;
    }
  }

  /// Puts the candidates in order, nearest first.
  std::span<const Candidate> sorted() {
    if (!is_short()) std::sort(best_.begin(), best_.end());
    return best_;
  }

  /// Forgets all candidates; keeps the memory.
  void clear() {
    best_.clear();
    limit_ = wanted_.radius;
  }

 private:
  /// Short lists are kept in order, longer ones as a heap.
  static constexpr Index kShortList = 48;
  bool is_short() const { return wanted_.count <= kShortList; }
  const Candidate& worst() const { return is_short() ? best_.back() : best_.front(); }

  void replace_worst(const Candidate& candidate) {
    if (is_short()) {
      best_.back() = candidate;
      sink(best_.size() - 1);
    } else {
      std::pop_heap(best_.begin(), best_.end());
      best_.back() = candidate;
      std::push_heap(best_.begin(), best_.end());
    }
  }

  /// Moves the candidate at `place` to its position among those before it.
  void sink(std::size_t place) {
    const Candidate candidate = best_[place];
    for (; place > 0 && candidate < best_[place - 1]; --place) best_[place] = best_[place - 1];
    best_[place] = candidate;
  }

  SearchLimits wanted_;
  double limit_;
  std::vector<Candidate> best_;
};

/// Both lists merged in order, without duplicates.
inline std::vector<Candidate> united(std::span<const Candidate> nearest, std::vector<Candidate> others) {
  others.insert(others.end(), nearest.begin(), nearest.end());
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

}  // namespace unroll
