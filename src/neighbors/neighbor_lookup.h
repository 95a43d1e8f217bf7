#pragma once
#include <memory>
#include <vector>

#include "neighbors/search_engine.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Finds the neighbours of new rows among points that its owner keeps: they are looked at, not copied, and must outlive
/// it. NeighborIndex is this with a copy of the points. Errors about a row have its number.
class NeighborLookup {
 public:
  /// `nearest` is the graph of the points, two or more, under these options. With metric = precomputed the points are
  /// not looked at: rows are distances to them.
  NeighborLookup(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options, const Run& run);
  /// For nearest() alone, which needs no graph of the `size` points. The limits stand in place of those of the options.
  NeighborLookup(PointsView points, Index size, const NeighborOptions& options, SearchLimits limits, const Run& run);
  NeighborLookup(const NeighborLookup&) = delete;
  NeighborLookup& operator=(const NeighborLookup&) = delete;

  Index n_features() const { return features_; }
  /// See NeighborIndex.
  const std::vector<double>& reach() const { return reach_; }
  NeighborGraph nearest(PointsView queries, const Run& run) const;
  NeighborGraph adjacent(PointsView queries, const Run& run) const;

 private:
  void check_queries(PointsView queries, const Run& run) const;
  template <class Search>
  NeighborGraph look_up(PointsView queries, const Run& run, Search&& search) const;
  NeighborGraph look_up_distances(PointsView queries, SearchLimits sought, const std::vector<double>* within,
                                  const Run& run) const;
  SearchLimits with_coincident() const;
  NeighborGraph without_extra(const NeighborGraph& found, const Run& run) const;

  NeighborOptions options_;
  SearchLimits limits_;
  Index features_;
  std::vector<double> reach_;
  MetricRows rows_;                       ///< none if distances are given
  std::unique_ptr<SearchEngine> engine_;  ///< the same
};

}  // namespace unroll
