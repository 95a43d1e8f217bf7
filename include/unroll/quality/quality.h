#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/options.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/data/scaling.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/quality/agreement.h"

/// How far an embedding can be trusted: `high` are the points, `low` their coordinates in it, row by row.
namespace unroll {

enum class QualityMeasure { Trustworthiness, Continuity, NeighborPreservation, DistanceCorrelation };
constexpr auto enum_names(QualityMeasure) {
  return std::array{Named{QualityMeasure::Trustworthiness, "trustworthiness"},
                    Named{QualityMeasure::Continuity, "continuity"},
                    Named{QualityMeasure::NeighborPreservation, "neighbor_preservation"},
                    Named{QualityMeasure::DistanceCorrelation, "distance_correlation"}};
}

struct QualityOptions {
  static constexpr std::string_view method_name = "quality";

  std::vector<QualityMeasure> measures = {QualityMeasure::Trustworthiness, QualityMeasure::Continuity,
                                          QualityMeasure::NeighborPreservation, QualityMeasure::DistanceCorrelation};
  std::int64_t n_neighbors = 10;
  Metric metric = Metric::Euclidean;
  double p = 2;
  Scaling scale = Scaling::None;  ///< of the features of `high`: as the method that made the map has scaled them
  std::int64_t max_points = 50'000;
  std::int64_t max_pairs = 1'000'000;
  std::int64_t random_state = 0;

  UNROLL_API static OptionFields fields();
};

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

/// A correlation; NaN where one side does not vary. For a sample, [low, high] is the 95 % confidence interval of the
/// correlation over all pairs.
struct Correlation {
  double value = 0;
  double low = 0;
  double high = 0;
};
struct DistanceCorrelation {
  Correlation pearson = {};
  Correlation spearman = {};  ///< of ranks, with the mean rank for ties
  Index pairs = 0;
  bool exact = true;  ///< all pairs were used
};
/// Correlation of the distances between points in `high` and in `low`, over pairs of points. NaN where all distances of
/// one side are equal: there is nothing to correlate.
UNROLL_API DistanceCorrelation distance_correlation(PointsView high, PointsView low, const QualityOptions& options = {},
                                                    const Run& run = {});

/// R^2 of every true coordinate under the affine map of `low` that fits it best: 1 where the truth is an affine image
/// of the embedding, whatever the scale of its axes. NaN for a true coordinate that does not vary: there is nothing to
/// explain.
UNROLL_API std::vector<double> affine_r2(PointsView low, PointsView truth, const Run& run = {});

/// The sum of squared distances that remains between two shapes of size one after the best translation, rotation,
/// reflection and scaling: the disparity of scipy.spatial.procrustes, 0 to 1. The shape of fewer columns is filled up
/// with zeros. Throws InvalidData when all points of one shape are identical.
UNROLL_API double procrustes(PointsView a, PointsView b, const Run& run = {});

/// What is known about the points beside their features.
struct GroundTruth {
  PointsView coordinates = {};            ///< no rows: not known
  std::vector<std::int64_t> labels = {};  ///< empty: not known; that of a single point may be kNoLabel
  /// Found before among the points by the same metric, at least as many as n_neighbors of each; null: searched.
  const Neighbors* neighbors = nullptr;
};

struct TruthMeasures {
  std::vector<double> affine_r2 = {};             ///< per true coordinate; NaN: it does not vary
  std::optional<double> procrustes = {};          ///< none: all points of one shape are identical
  DistanceCorrelation distance_correlation = {};  ///< between true and embedded distances
};
struct LabelMeasures {
  double accuracy = 0;       ///< in the embedding
  double accuracy_high = 0;  ///< among the points themselves, to compare with
};

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

struct Quality : NeighborhoodQuality {
  DistanceCorrelation distance_correlation = {};  ///< pairs 0: not asked for
  std::optional<TruthMeasures> truth = {};
  std::optional<LabelMeasures> labels = {};
};

/// All measures.
UNROLL_API Quality quality(PointsView high, PointsView low, const GroundTruth& known = {},
                           const QualityOptions& options = {}, const Run& run = {});

}  // namespace unroll
