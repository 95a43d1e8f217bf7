#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/nearest_list.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// A neighbour graph under construction. Several threads may set rows in any order, each row once.
class NeighborGraphBuilder {
 public:
  /// If every row will have `limits.count` neighbours (`available` is how many there are), rows are written to their
  /// final place; otherwise they are kept and joined at the end.
  /// Throws OutOfMemory if rows of any length add up to more than the memory budget of the run.
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
