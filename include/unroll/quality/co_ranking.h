#pragma once
#include <span>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/quality/neighborhood_measures.h"
#include "unroll/quality/quality_options.h"

/// How far an embedding keeps neighbourhoods of every size.
namespace unroll {

/// From the ranks of points (Lee & Verleysen 2009, 2010; Lee, Peluffo-Ordonez & Verleysen 2015). The rank of j from i
/// is its place among the other n - 1 points by distance, ties by index, as in `neighbors`.
struct CoRanking {
  /// Q_NX(K), K = 1 .. n - 1: the share of a point's K nearest in `high` that are among its K nearest in `low`.
  /// It is neighbor_preservation with k = K.
  std::vector<double> q_nx = {};
  /// R_NX(K) = ((n - 1) Q_NX(K) - K) / (n - 1 - K), K = 1 .. n - 2: 1 if all neighbours are kept, 0 by chance.
  std::vector<double> r_nx = {};
  /// The mean of R_NX over log K: sum of R_NX(K) / K, divided by that of 1 / K. Small neighbourhoods count as much as
  /// large ones. A point's own is that of its own R_NX, so the whole is the mean over points, and can be negative.
  NeighborhoodMeasure area = {};
  Index k_max = 0;      ///< where Q_NX(K) - K / (n - 1) is largest (LCMC, Chen & Buja 2009), the first such K
  double q_local = 0;   ///< mean of Q_NX over K = 1 .. k_max
  double q_global = 0;  ///< mean of Q_NX over K = k_max .. n - 1
};

/// Sorts the distances from every point to all others, or from a sample of points (options.rank_points). The whole is
/// then that of the sample. Takes O(n) memory per thread. n must be at least 3.
UNROLL_API CoRanking co_ranking(PointsView high, PointsView low, const QualityOptions& options = {},
                                const Run& run = {});
/// The same of several maps of one set of points. The ranks among the points are computed once, and the sample is the
/// same for all maps: differences between them are surer than the intervals say.
UNROLL_API std::vector<CoRanking> co_rankings(PointsView high, std::span<const PointsView> maps,
                                              const QualityOptions& options = {}, const Run& run = {});

/// At most `count` different ranks from 1 to `last`, nearly equally spaced in log K: where to draw a curve.
UNROLL_API std::vector<Index> log_spaced_ranks(Index last, Index count);

}  // namespace unroll
