#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neighbors/block_search.h"

namespace unroll {

/// Measures what share of the true neighbours a search finds, on a sample of the points.
class RecallProbe {
 public:
  /// The neighbours that the search found for the point at a place: `count` of them, nearest first.
  using Found = std::function<std::span<const Candidate>(Index place)>;

  static constexpr Index kSample = 1000;

  RecallProbe(const BlockSearch& exact, const MetricRows& rows, Index count, std::uint64_t seed);

  Index sample() const { return static_cast<Index>(places_.size()); }
  double measure(const Found& found, const Run& run);

 private:
  void find_truth(const Found& found, const Run& run);

  const BlockSearch& exact_;
  const MetricRows& rows_;
  Index count_;
  std::vector<Index> places_;
  std::vector<double> farthest_;  ///< distance of the last true neighbour, for every point of the sample
};

}  // namespace unroll
