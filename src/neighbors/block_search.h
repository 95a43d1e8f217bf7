#pragma once
#include <cstdint>
#include <vector>

#include "neighbors/graph_rows.h"
#include "neighbors/local_blocks.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Exact search over all pairs of a Euclidean form. Pairs are excluded by a lower bound of their distance in a few
/// coordinates, computed for whole tiles like a matrix product with the comparison fused in; those that remain meet a
/// finer bound, and the few that remain then, the judge.
class BlockSearch {
 public:
  BlockSearch(const MetricRows& rows, Metric metric, std::uint64_t seed, const Run& run);

  const LocalBlocks& blocks() const { return blocks_; }

  /// The neighbours of every point among the others; of other groups only, if there are groups.
  void search_all(Wanted wanted, GraphRows& out, const Run& run) const;
  /// The neighbours of other rows.
  void search(const MetricRows& queries, Wanted wanted, GraphRows& out, const Run& run) const;
  /// The same with a wish for each.
  void search(const MetricRows& queries, const std::vector<Wanted>& wanted, GraphRows& out, const Run& run) const;

 private:
  const MetricRows& rows_;
  Metric metric_;
  LocalBlocks blocks_;
};

}  // namespace unroll
