#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

/// On a long strip the second eigenvector is a function of the first, as cos(2x) is of cos(x) (Goldberg et al. 2008).
/// Whether a coordinate is a function of others is asked of a regression (Dsilva, Talmon, Coifman & Kevrekidis 2018):
/// around every point, of the coordinate on the others, linear, by the points nearest in these others, without the
/// point itself.
namespace unroll {

/// Some of n points, up to 2000, which are enough to judge by.
std::vector<Index> judging_points(Index n, std::uint64_t seed);

/// A coordinate that is told as less repeats what those before it say. Noise mixes eigenvectors of nearly equal
/// eigenvalues, harmonics with new directions too: of such a pair, this takes the one that has more of the new
/// direction.
inline constexpr double kRepeats = 0.45;

/// Of a map that nobody asked to be of independent coordinates, those are told that are hardly more than functions of
/// others: harmonics leave 0.01 to 0.1. A coordinate that parts one of several clusters may leave 0.2, and is no
/// repetition.
inline constexpr double kHarmonic = 0.15;

/// How many coordinates so many points can judge: higher harmonics are so wavy that nothing is linear from one point to
/// the next, and they would pass for new directions.
Index most_judged(const std::vector<Index>& points);

struct Independence {
  /// For every coordinate, how little of it the independent ones before it tell: the mean error of its regression on
  /// them, in standard deviations of the coordinate, at most 1. The first has 1; others that are new have 0.7 to 0.9,
  /// harmonics almost 0. (Squares would be less strict: their mean is large also where a coordinate is new to a few
  /// points only, and on very long strips eigenvectors live on a part of the strip.)
  std::vector<double> told = {};
  std::vector<Index> independent = {};  ///< those that repeat none of these before them; no constants
};

/// Judges one coordinate after the other until `count` are independent.
Independence independence(const Array2<double>& coordinates, const std::vector<Index>& points, Index count,
                          const Run& run);

}  // namespace unroll
