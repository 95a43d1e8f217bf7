#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "neighbors/row_distance.h"
#include "neighbors/search_engine.h"
#include "rank_boxes.h"
#include "rank_points.h"
#include "ranks.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll::cluster {

/// The neighbours of every point among the points of all ranks: exact, ids and bits of distances as one process finds
/// them, however the points are divided. Every rank searches its own; then it asks the ranks whose box a point's ball
/// reaches into, which is the border alone where the points were moved to parts of space.
class RankSearch {
 public:
  /// Collective. `algorithm` is KdTree or Brute; `scale` is of all points; `own` must outlive the search.
  RankSearch(const Ranks& ranks, const RankPoints& own, const NeighborOptions& options, SearchAlgorithm algorithm,
             double scale, const Run& run);
  RankSearch(const RankSearch&) = delete;
  RankSearch& operator=(const RankSearch&) = delete;

  /// Collective. Row i is of own point i; neighbours are rows of the whole table. Throws OutOfMemory before anything is
  /// taken that does not fit.
  NeighborGraph search(SearchLimits limits) const;

 private:
  using Lists = std::vector<std::vector<Candidate>>;
  struct Batch {
    Index next = 0;                  ///< own point from which on the next batch is taken
    std::vector<Index> points = {};  ///< by rank that is asked
    std::vector<Index> offsets = {};
  };

  NeighborGraph search_own(SearchLimits limits) const;
  std::vector<Index> reachable_ranks(const std::vector<double>& reach) const;
  Batch take_batch(Index first, const std::vector<double>& reach, const std::vector<Index>& ranks) const;
  void ask(const Batch& batch, SearchLimits limits, Lists& foreign) const;
  NeighborGraph answers(const Batch& batch, SearchLimits limits, std::vector<Index>& offsets) const;
  NeighborGraph merged(const NeighborGraph& near, const Lists& foreign, SearchLimits limits) const;
  double length_of(double distance) const { return RowDistance(rows_, rows_, options_.metric, 2).to_length(distance); }

  const Ranks& ranks_;
  const RankPoints& own_;
  NeighborOptions options_;
  double scale_;
  Run run_;
  RankBoxes boxes_;
  MetricRows rows_;
  std::unique_ptr<SearchEngine> engine_;  ///< null: fewer than two own points
};

}  // namespace unroll::cluster
