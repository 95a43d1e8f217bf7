#pragma once
#include <cstdint>
#include <vector>

#include "neighbors/local_blocks.h"
#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// One of the two sets of points that are compared.
struct BlockSide {
  const LocalBlocks& blocks;
  std::vector<NearestList>* lists = nullptr;   ///< by place; nullptr: no neighbours of these points are searched
  const std::vector<Index>* groups = nullptr;  ///< by point: pairs of one group do not count
  const std::vector<double>* reach = nullptr;  ///< by point: a row within this distance is adjacent to the point
};

/// Exact search over all pairs of a Euclidean form. A lower bound of the distance in a few coordinates excludes most
/// pairs; it is computed for whole tiles, like a matrix product with the comparison fused in. The pairs that remain
/// meet a finer bound, and the few that then remain meet the judge (RowDistance).
class BlockSearch {
 public:
  /// Coordinates that are kept per point at most, for a memory plan.
  static constexpr Index kMostAxes = 256;

  BlockSearch(const MetricRows& rows, Metric metric, std::uint64_t seed, const Run& run);

  const LocalBlocks& blocks() const { return blocks_; }

  /// The neighbours of every point among the others.
  void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const;
  /// The neighbours of other rows, with limits for each.
  void search(const MetricRows& queries, const std::vector<SearchLimits>& limits, NeighborGraphBuilder& out,
              const Run& run) const;
  /// For some of the points, the nearest of other groups.
  void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group, SearchLimits limits,
                           NeighborGraphBuilder& out, const Run& run) const;
  /// The neighbours of other rows, and the points that have such a row within their `reach`.
  void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                       NeighborGraphBuilder& out, const Run& run) const;

 private:
  void search_rows(const MetricRows& queries, const BlockSide& rows, const BlockSide& points,
                   std::vector<std::vector<Candidate>>* within, const Run& run) const;

  const MetricRows& rows_;
  Metric metric_;
  LocalBlocks blocks_;
};

}  // namespace unroll
