#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/quality/agreement.h"
#include "unroll/quality/quality_options.h"

/// How far an embedding keeps neighbourhoods of k points: `high` are the points, `low` their coordinates, row by row.
namespace unroll {

/// A measure between 0 and 1 of every point's neighbourhood, and its mean. For a sample of the points, [low, high] is
/// the 95 % confidence interval of the mean over all.
struct NeighborhoodMeasure {
  double value = 0;
  double low = 0;
  double high = 0;
  std::vector<double> per_point = {};  ///< for all points; empty if a sample was taken
  Index sample = 0;                    ///< number of points measured
};

/// 1 - 2 / (n k (2n - 3k - 1)) sum over i, and over the points j that are among the k nearest of i in `low` but not in
/// `high`, of (r(i, j) - k), r the rank of j from i in `high` (Venna & Kaski 2001; scikit-learn's value). It is low
/// where the embedding puts distant points together. A point's own value is its term of the mean over i. k must be less
/// than n / 2.
UNROLL_API NeighborhoodMeasure trustworthiness(PointsView high, PointsView low, const QualityOptions& options = {},
                                               const Run& run = {});
/// The same with `high` and `low` exchanged: it is low where the embedding tears neighbours apart.
UNROLL_API NeighborhoodMeasure continuity(PointsView high, PointsView low, const QualityOptions& options = {},
                                          const Run& run = {});
/// The share of a point's k nearest in `high` that are among its k nearest in `low`.
UNROLL_API NeighborhoodMeasure neighbor_preservation(PointsView high, PointsView low,
                                                     const QualityOptions& options = {}, const Run& run = {});

/// The share of points whose label is the most frequent one among their k nearest others; ties go to the smallest
/// label. Points with kNoLabel count and tell nothing; NaN if all have it.
UNROLL_API double label_accuracy(PointsView points, const std::vector<std::int64_t>& labels,
                                 const QualityOptions& options = {}, const Run& run = {});

/// The measures that need neighbours alone; those that were not asked for have sample 0.
struct NeighborhoodQuality {
  NeighborhoodMeasure trustworthiness = {};
  NeighborhoodMeasure continuity = {};
  NeighborhoodMeasure neighbor_preservation = {};
  double recall = 1;  ///< of the neighbours that were compared; below 1 they are approximate
  std::vector<Warning> warnings = {};
};
/// The neighbours in `high` and in `low` are searched once for all three.
UNROLL_API NeighborhoodQuality neighborhood_quality(PointsView high, PointsView low, const QualityOptions& options = {},
                                                    const Run& run = {});

}  // namespace unroll
