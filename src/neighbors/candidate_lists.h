#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// A point of an approximate search, as its place in the spatial order: 32 bits are enough for what fits in memory.
using Place = std::int32_t;

/// For every point the best candidates found so far, by estimated squared distance and then place.
class CandidateLists {
 public:
  CandidateLists(Index points, Index width);

  Index points() const { return points_; }
  Index width() const { return width_; }
  /// Filled from the front; empty slots hold kNone.
  static constexpr Place kNone = -1;
  std::span<const Place> places(Index i) const {
    return {places_.data() + i * width_, static_cast<std::size_t>(width_)};
  }
  std::span<const float> values(Index i) const {
    return {values_.data() + i * width_, static_cast<std::size_t>(width_)};
  }
  /// Nothing at or beyond this value enters point i's list.
  float limit(Index i) const { return values_[static_cast<std::size_t>((i + 1) * width_ - 1)]; }
  /// The candidate came since the last call of `age`.
  bool is_new(Index i, Index slot) const { return fresh_[static_cast<std::size_t>(i * width_ + slot)] != 0; }

  /// Enters a candidate unless it is there already; returns whether the list changed.
  bool add(Index i, float value, Place place);
  /// Enters the candidates that are not there already. Faster than one by one if there are many; reorders `candidates`.
  void add_all(Index i, std::vector<std::pair<float, Place>>& candidates);
  /// Marks the first `slots` entries of the list as not new.
  void age(Index i, Index slots);

 private:
  Index points_;
  Index width_;
  std::vector<float> values_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> fresh_;
};

}  // namespace unroll
