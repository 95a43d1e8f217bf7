#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "neighbors/block_search.h"

namespace unroll {

/// The share of the true neighbours that a search finds, by a sample of the points.
struct Recall {
  double share = 0;
  double error = 0;  ///< standard error of the share; 0 if the sample is all points
};

/// Measures what share of the true neighbours a search finds, on a sample of the points.
class RecallProbe {
 public:
  static constexpr Index kSample = 1000;

  RecallProbe(const BlockSearch& exact, const MetricRows& rows, Index count, std::uint64_t seed);

  /// The sampled points by their places, ascending.
  const std::vector<Index>& places() const { return places_; }
  /// Finds the true neighbours of the sample. They are not farther than those of `found`: one row of candidates for
  /// each sampled point, nearest first; that limits the exact search from the start.
  void find_truth(const std::vector<std::vector<Candidate>>& found, const Run& run);
  /// The true neighbours of a sampled point, without those that equally far points may replace.
  std::span<const Index> truth(std::size_t sampled) const { return truth_[sampled]; }
  Recall measure(const std::vector<std::vector<Candidate>>& found) const;

 private:
  const BlockSearch& exact_;
  const MetricRows& rows_;
  Index count_;
  std::vector<Index> places_;
  std::vector<std::vector<Index>> truth_;
  std::vector<double> farthest_;  ///< distance of the last true neighbour, for every point of the sample
};

}  // namespace unroll
