#pragma once
#include <functional>
#include <span>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// Lengths of shortest paths from the given points to all points of a symmetric graph, one row per source: exactly
/// those of Dijkstra's algorithm. Infinity if there is no path. T is float or double: lengths are stored and added in
/// T.
template <class T>
Array2<T> geodesic_distances(const NeighborGraph& graph, const std::vector<Index>& sources, const Run& run);

/// Some rows of geodesic_distances: rows.row(r) is that of sources[places[r]].
template <class T>
struct GeodesicBlock {
  std::span<const Index> places;
  MatrixView<T> rows;
};

/// The same, a few rows at a time instead of all in memory. Several threads call `use` at once, with blocks in no
/// particular order; each row is in one block. The grouping of sources does not depend on threads.
template <class T>
void for_each_geodesic_block(const NeighborGraph& graph, const std::vector<Index>& sources,
                             const std::function<void(const GeodesicBlock<T>&)>& use, const Run& run);

/// The same for all pairs of points, for dense small graphs (Floyd 1962, Warshall 1962). Lengths are added in another
/// order, so the last bits differ.
Array2<double> floyd_warshall(const NeighborGraph& graph, const Run& run);

/// Lengths of shortest paths from new points to all points of the graph. `attachments` has a row per new point: the
/// edges that join it to the graph. A new point at distance 0 from a point of the graph has the row of that point: its
/// other attachments are not used.
template <class T>
Array2<T> geodesic_distances_from(const NeighborGraph& graph, const NeighborGraph& attachments, const Run& run);

}  // namespace unroll
