#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/nearest_list.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// A neighbour graph under construction, filled in any order and by several threads, a row by one of them.
class NeighborGraphBuilder {
 public:
  /// Where every row will have `limits.count` neighbours (`available` is how many there are), rows go to their place at
  /// once; otherwise they are kept and put together at the end.
  /// Rows of any length may add up to more than the memory budget of the run: then it throws OutOfMemory.
  NeighborGraphBuilder(Index rows, SearchLimits limits, Index available, const Run& run);

  void set(Index row, std::span<const Candidate> nearest);
  NeighborGraph take();

 private:
  bool fixed_;
  Index count_;
  std::uint64_t budget_;
  std::atomic<std::uint64_t> edges_ = 0;
  NeighborGraph graph_;
  std::vector<std::vector<Candidate>> rows_;
};

}  // namespace unroll
