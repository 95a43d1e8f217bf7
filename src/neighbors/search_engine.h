#pragma once
#include <memory>
#include <vector>

#include "neighbors/neighbor_graph_builder.h"
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// An exact search among a set of rows, which must outlive it. All engines give the same answers, bit for bit.
class SearchEngine {
 public:
  virtual ~SearchEngine() = default;

  /// The neighbours of every row among the others.
  virtual void search_all(SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const = 0;
  /// For some of the rows, the nearest of other groups.
  virtual void search_other_groups(const std::vector<Index>& points, const std::vector<Index>& group,
                                   SearchLimits limits, NeighborGraphBuilder& out, const Run& run) const = 0;
  /// The neighbours of other rows.
  virtual void search(const MetricRows& queries, SearchLimits limits, NeighborGraphBuilder& out,
                      const Run& run) const = 0;
  /// The same, and the rows that have a query within their `reach`.
  virtual void search_adjacent(const MetricRows& queries, SearchLimits limits, const std::vector<double>& reach,
                               NeighborGraphBuilder& out, const Run& run) const = 0;
};

/// The choice of Auto: a tree if the data have few dimensions, else all pairs, or approximate if these are too many. It
/// depends on the data and the options alone.
SearchAlgorithm choose_algorithm(const MetricRows& rows, const NeighborOptions& options, SearchLimits limits,
                                 const Run& run);

/// All pairs of this many points take about ten seconds on two cores.
constexpr bool may_compare_all_pairs(Index points) { return points <= NeighborOptions().exact_points; }

/// The most neighbours per point for which the approximate search is made.
inline constexpr Index kMostApproximate = 150;

/// `algorithm` is KdTree or Brute.
std::unique_ptr<SearchEngine> make_engine(const MetricRows& rows, SearchAlgorithm algorithm,
                                          const NeighborOptions& options, const Run& run);

}  // namespace unroll
