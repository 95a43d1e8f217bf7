#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// On a long strip the second eigenvector is a function of the first, as cos(2x) is of cos(x) (Goldberg et al. 2008).
/// A regression finds out whether a coordinate is a function of others (Dsilva, Talmon, Coifman & Kevrekidis 2018). It
/// is linear around every point and uses the points that are nearest in these others, without the point itself.
namespace unroll {

/// A sample of up to 2000 of n points, which is enough to judge coordinates.
std::vector<Index> judging_points(Index n, std::uint64_t seed);

/// Below this novelty a coordinate counts as a repetition. Noise mixes eigenvectors of nearly equal eigenvalues, also
/// harmonics with new directions; this threshold keeps the one of such a pair that has more of the new direction.
inline constexpr double kRepeats = 0.45;

/// Below this novelty a map warns of a repetition although independent coordinates were not asked for. Harmonics have
/// 0.01 to 0.1. A coordinate that separates one of several clusters may have 0.2, and is no repetition.
inline constexpr double kHarmonic = 0.15;

/// How many coordinates these points can judge: higher harmonics are not linear from one point to the next, and would
/// count as new directions.
Index most_judged(const std::vector<Index>& points);

struct Independence {
  /// The novelty of every coordinate: the mean error of its regression on the independent ones before it, in standard
  /// deviations of the coordinate, at most 1. The first has 1, other new ones 0.7 to 0.9, harmonics almost 0. (A mean
  /// of squares is large even if a coordinate is new at a few points only: on very long strips eigenvectors live on a
  /// part of the strip.)
  std::vector<double> novelty = {};
  std::vector<Index> independent = {};  ///< coordinates that repeat none of those before them; no constants
};

/// Judges one coordinate after the other until `count` are independent.
Independence independence(MatrixView<double> coordinates, const std::vector<Index>& points, Index count,
                          const Run& run);

}  // namespace unroll
