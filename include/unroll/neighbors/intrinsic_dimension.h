#pragma once
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// How many coordinates the data need near a point, estimated from the growth of the distances to its neighbours: in d
/// dimensions the number of points within r grows as r^d. Points near the boundary of the data see fewer neighbours,
/// which lowers the estimates: by some 10 % at d = 5 for a thousand points in a cube.
struct IntrinsicDimension {
  /// (sum of m_i - 1) / (sum over i and j < m_i of log(T_i,m / T_i,j)), T_i,1 <= ... <= T_i,m the distances of point i:
  /// Levina & Bickel 2005, with the inverses averaged over points (MacKay & Ghahramani 2005), which removes the bias of
  /// small k. Its relative standard error is 1 / sqrt(sum of m_i - 1) where neighbourhoods do not overlap.
  double maximum_likelihood = 0;
  /// The same for each point alone (Levina & Bickel); 0 where its distances give no estimate.
  std::vector<double> per_point = {};
  /// TwoNN (Facco, d'Errico, Rodriguez & Laio 2017), from mu = T_2 / T_1 alone: the slope of -log(1 - F(mu)) against
  /// log(mu) by least squares through the origin, without the largest 10 % of mu, as its authors recommend.
  double two_nn = 0;
  /// TwoNN by maximum likelihood, (number of points - 1) / (sum of log mu): smaller errors, less robust.
  double two_nn_likelihood = 0;
  Index zero_distances = 0;  ///< edges to duplicates: left out
  Index points_used = 0;     ///< those with two or more neighbours that are not duplicates
  std::vector<Warning> warnings = {};
};

/// From the distances of a nearest-neighbour graph, as the search gave it (a union graph is biased). All are 0, with a
/// warning, where no point has two neighbours that are not duplicates, or where all distances are equal.
UNROLL_API IntrinsicDimension intrinsic_dimension(const NeighborGraph& nearest);

/// Its `maximum_likelihood` alone, in parallel.
UNROLL_API double likely_dimension(const NeighborGraph& nearest, const Run& run = {});

}  // namespace unroll
