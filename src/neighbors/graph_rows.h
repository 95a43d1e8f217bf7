#pragma once
#include <span>
#include <vector>

#include "neighbors/nearest_list.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// A neighbour graph under construction, filled in any order and by several threads, a row by one of them.
class GraphRows {
 public:
  /// Where every row will have `wanted.count` neighbours (`available` is how many there are), rows go to their place at
  /// once; otherwise they are kept and put together at the end.
  GraphRows(Index rows, Wanted wanted, Index available);

  void set(Index row, std::span<const Candidate> nearest);
  NeighborGraph take();

 private:
  bool fixed_;
  Index count_;
  NeighborGraph graph_;
  std::vector<std::vector<Candidate>> rows_;
};

}  // namespace unroll
