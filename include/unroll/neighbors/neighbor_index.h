#pragma once
#include <memory>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Points kept to look up new ones among them: what places a new point in a map. Immutable, cheap to copy, safe to
/// share between threads. Looking up is always exact, and what a row finds does not depend on the rows beside it.
class UNROLL_API NeighborIndex {
 public:
  /// Copies the points and finds their neighbours. With metric = precomputed the points are their matrix of distances
  /// (which is not copied), and what is looked up are rows of distances from new points to these.
  explicit NeighborIndex(PointsView points, const NeighborOptions& options = {}, const Run& run = {});
  /// The same with neighbours that are known already: `nearest` is the graph of the points under these options.
  NeighborIndex(PointsView points, NeighborGraph nearest, const NeighborOptions& options, const Run& run = {});
  /// The same for given distances (metric = precomputed), of which the graph is all that need be kept.
  NeighborIndex(NeighborGraph nearest, const NeighborOptions& options);

  Index size() const;
  Index n_features() const;
  /// The neighbours of the points themselves.
  const NeighborGraph& graph() const;
  /// r_k: per point the distance to its farthest neighbour.
  const std::vector<double>& reach() const;

  /// The neighbours of new points by the same options; a point that lies on one of ours has it at distance 0.
  NeighborGraph nearest(PointsView queries, const Run& run = {}) const;
  /// Who would be adjacent to a new point in the union graph: its neighbours, and the points whose reach it is within.
  /// For a row of the points themselves that is their row of the union graph, and the point itself at distance 0; where
  /// distances are tied at a point's reach, all that are tied count, since a new point has no index to break the tie
  /// by.
  NeighborGraph adjacent(PointsView queries, const Run& run = {}) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace unroll
