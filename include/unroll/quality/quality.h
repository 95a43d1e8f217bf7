#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/quality/co_ranking.h"
#include "unroll/quality/distance_measures.h"
#include "unroll/quality/neighborhood_measures.h"
#include "unroll/quality/quality_options.h"

/// How far an embedding can be trusted: `high` are the points, `low` their coordinates in it, row by row.
namespace unroll {

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

struct Quality : NeighborhoodQuality {
  CoRanking co_ranking = {};                      ///< area.sample 0: not asked for
  DistanceCorrelation distance_correlation = {};  ///< pairs 0: not asked for
  Stress stress = {};                             ///< pairs 0: not asked for
  std::optional<TruthMeasures> truth = {};
  std::optional<LabelMeasures> labels = {};
};

/// All measures.
UNROLL_API Quality quality(PointsView high, PointsView low, const GroundTruth& known = {},
                           const QualityOptions& options = {}, const Run& run = {});

}  // namespace unroll
