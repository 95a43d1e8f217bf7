#include "core/occurrences.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/at.h"
#include "core/memory.h"
#include "core/parallel.h"

namespace unroll {
namespace {

/// A counting sort in two rounds. The first round sorts by ranges of values: the few targets stay in the cache, and
/// each block of the list has its own targets. The second round sorts each range by itself.
class RangeSort {
 public:
  RangeSort(std::span<const Index> values, Index count, const Run& run)
      : values_(values),
        count_(count),
        run_(run),
        bits_(std::countr_zero(std::bit_ceil(at(std::max(kLeastWidth, block_count(count, kRanges)))))),
        ranges_(block_count(count, Index{1} << bits_)),
        length_(std::max(kLeastLength, block_count(std::ssize(values), kBlocks))),
        blocks_(block_count(std::ssize(values), length_)) {
    result_.offsets.resize(at(count) + 1);
    resize_large(result_.places, values.size(), run);
  }

  Occurrences run() {
    find_starts();
    sort_by_range();
    parallel_for(run_, ranges_, 1, [&](Index range, Index) { sort_range(range); });
    result_.offsets.back() = std::ssize(values_);
    return std::move(result_);
  }

 private:
  static constexpr Index kRanges = 256, kLeastWidth = 256, kBlocks = 64, kLeastLength = 4096;

  /// start(range, block): where the block's places with values of that range go, after all lower ranges and after the
  /// earlier blocks of the same range.
  void find_starts() {
    starts_.assign(at(blocks_ * ranges_ + 1), 0);
    parallel_for(run_, std::ssize(values_), length_, [&](Index begin, Index end) {
      std::vector<Index> counts(at(ranges_));
      for (Index p = begin; p < end; ++p) ++counts[at(values_[at(p)] >> bits_)];
      for (Index range = 0; range < ranges_; ++range) start(range, begin / length_) = counts[at(range)];
    });
    std::exclusive_scan(starts_.begin(), starts_.end(), starts_.begin(), Index{0});
  }

  void sort_by_range() {
    parallel_for(run_, std::ssize(values_), length_, [&](Index begin, Index end) {
      std::vector<Index> next(at(ranges_));
      for (Index range = 0; range < ranges_; ++range) next[at(range)] = start(range, begin / length_);
      for (Index p = begin; p < end; ++p) result_.places[at(next[at(values_[at(p)] >> bits_)]++)] = p;
    });
  }

  void sort_range(Index range) {
    const Index first = range << bits_, last = std::min(count_, (range + 1) << bits_);
    const Index begin = start(range, 0), end = start(range + 1, 0);
    const std::vector<Index> unsorted(result_.places.begin() + begin, result_.places.begin() + end);
    std::vector<Index> next(at(last - first) + 1);
    for (const Index place : unsorted) ++next[at(values_[at(place)] - first) + 1];
    next.front() = begin;
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::copy(next.begin(), next.end() - 1, result_.offsets.begin() + first);
    for (const Index place : unsorted) result_.places[at(next[at(values_[at(place)] - first)]++)] = place;
  }

  Index& start(Index range, Index block) { return starts_[at(range * blocks_ + block)]; }

  std::span<const Index> values_;
  Index count_;
  const Run& run_;
  int bits_;  // a range has 2^bits values
  Index ranges_;
  Index length_, blocks_;  // of the list
  std::vector<Index> starts_;
  Occurrences result_;
};

}  // namespace

Occurrences occurrences(std::span<const Index> values, Index count, const Run& run) {
  return RangeSort(values, count, run).run();
}

}  // namespace unroll
