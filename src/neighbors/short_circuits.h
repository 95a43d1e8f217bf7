#pragma once
#include <functional>

#include "unroll/core/run.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// Edges that leave the surface which the points lie on, as between two turns of a roll.
struct ShortCircuits {
  Index edges = 0;                ///< those found; where the work was cut short, there may be more
  Index first = -1, second = -1;  ///< the ends of one of them
};

/// The distance of any two points in any unit; negative: not known.
using PointDistance = std::function<double(Index, Index)>;

/// Tests the edges of a symmetric graph, nearest first in every row, that are not among the 8 nearest of either end.
///
/// The graph of the 8 nearest follows the surface. An edge is suspicious if
///   - the way between its ends in that graph is more than 5 times its length (or the local scale, if that is larger);
///   - it does not continue the surface beyond an end, as an edge over a gap does. A neighbour m of the end i would
///   then
///     lie behind i: d(j, m) - d(j, i) > 0.9 d(i, m).
/// In many dimensions ways around of any length occur. Suspicious edges therefore count only if they stand apart: at
/// least two thirds of those whose way is more than 3 times as long. Parts without a way between them do not count.
///
/// The numbers were chosen on Swiss rolls of 1000 to 3000 points with k = 10 to 60, where the true distances along the
/// sheet are known: the edges found were the true ones. They were then tried on S-curves, tori, springs, knots, Moebius
/// strips, rings, blobs, cubes and normal points of 1 to 20 dimensions, digits, garments, gene expression and a
/// skeleton: no alarm but where windings of a spring are nearer than k neighbours.
///
/// Points whose edges reach farthest beyond their 8 nearest come first; the work is bounded.
ShortCircuits find_short_circuits(const NeighborGraph& graph, const PointDistance& distance, const Run& run);

}  // namespace unroll
