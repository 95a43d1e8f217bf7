#pragma once
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/quality/quality_options.h"

/// How far an embedding keeps distances: d between points in `high`, e between their coordinates in `low`. Sums are
/// over all pairs of points, or over a sample of pairs (options.max_pairs).
namespace unroll {

/// A measure of pairs. For a sample, [low, high] is the 95 % confidence interval of that of all pairs.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// NaN where one side does not vary.
using Correlation = Estimate;

struct DistanceCorrelation {
  Correlation pearson = {};
  Correlation spearman = {};           ///< of ranks, with the mean rank for ties
  Correlation residual_variance = {};  ///< 1 - pearson^2 (Tenenbaum, de Silva & Langford 2000)
  Index pairs = 0;
  bool exact = true;  ///< all pairs were used
};
/// Correlation of d and e. NaN where all distances of one side are equal: there is nothing to correlate.
UNROLL_API DistanceCorrelation distance_correlation(PointsView high, PointsView low, const QualityOptions& options = {},
                                                    const Run& run = {});

/// What is left of the distances d beside those of the map. NaN where all d are 0, or where no double can hold it.
struct Stress {
  /// Kruskal's stress-1 (1964): the root of sum (d - s e)^2 / sum d^2, with the scale s that makes it smallest. It is
  /// the same number with the sum of (s e)^2 below, for the best s there.
  Estimate stress_1 = {};
  double scale = 0;          ///< that s = sum d e / sum e^2; 0 for a map that has collapsed to a point
  Estimate normalized = {};  ///< the root of sum (d - e)^2 / sum d^2: of a map in the units of the points
  Estimate raw = {};         ///< sum (d - e)^2; of a sample, in proportion
  Index pairs = 0;
  bool exact = true;  ///< all pairs were used
};
UNROLL_API Stress stress(PointsView high, PointsView low, const QualityOptions& options = {}, const Run& run = {});

/// Rows of (d, e) for Shepard's diagram: all pairs of points if they are at most `count`, else a random sample of them.
UNROLL_API Array2<double> shepard_pairs(PointsView high, PointsView low, Index count = 5000,
                                        const QualityOptions& options = {}, const Run& run = {});

}  // namespace unroll
