#pragma once
#include <memory>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// Finds the neighbours of new points among stored ones, to place new points in a map. Immutable, cheap to copy, safe
/// to share between threads. The search is always exact, and the result of a row does not depend on the rows beside it.
class UNROLL_API NeighborIndex {
 public:
  /// Copies the points and finds their neighbours. With metric = precomputed the points are a matrix of distances,
  /// which is not copied, and the queries are rows of distances from new points to these.
  explicit NeighborIndex(PointsView points, const NeighborOptions& options = {}, const Run& run = {});
  /// The same with neighbours that are known already: `nearest` is the graph of the points under these options.
  NeighborIndex(PointsView points, NeighborGraph nearest, const NeighborOptions& options, const Run& run = {});
  /// The same for given distances (metric = precomputed), where only the graph is kept.
  NeighborIndex(NeighborGraph nearest, const NeighborOptions& options);
  /// For nearest() alone: the neighbours of the points among themselves are not looked for, graph() and reach() are
  /// empty and adjacent() is an error.
  static NeighborIndex without_graph(PointsView points, const NeighborOptions& options = {}, const Run& run = {});

  Index size() const;
  Index n_features() const;
  /// The neighbours of the points themselves.
  const NeighborGraph& graph() const;
  /// r_k: per point the distance to its farthest neighbour.
  const std::vector<double>& reach() const;

  /// The neighbours of new points by the same options. A query that equals a stored point has it at distance 0.
  NeighborGraph nearest(PointsView queries, const Run& run = {}) const;
  /// The points that would be adjacent to a new point in the union graph: its neighbours, and the points within whose
  /// reach it lies. For a stored point that is its row of the union graph, and the point itself at distance 0. A new
  /// point has no index to break ties by, so every distance equal to a point's reach counts.
  NeighborGraph adjacent(PointsView queries, const Run& run = {}) const;

 private:
  struct State;
  explicit NeighborIndex(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace unroll
