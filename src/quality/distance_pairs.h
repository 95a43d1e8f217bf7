#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "quality/neighborhoods.h"
#include "unroll/quality/distance_measures.h"

/// Distances of pairs of points, which several measures share.
namespace unroll {

/// Distances of the same pairs in both spaces, each space in a unit of its own.
struct DistancePairs {
  std::vector<double> high, low;
  double high_factor = 1, low_factor = 1;  ///< powers of two: the numbers are distances times these
  double all = 0;                          ///< pairs that there are
  bool exact = true;

  Index size() const { return static_cast<Index>(high.size()); }
};

/// All pairs if they are at most `count`, else `count` pairs drawn with replacement, each equally likely.
DistancePairs distance_pairs(PointsView high, PointsView low, Index count, const QualityOptions& options,
                             const Run& run);

DistanceCorrelation distance_correlation(DistancePairs pairs, const Run& run);
Stress stress(const DistancePairs& pairs, const Run& run);

/// The mean over t of f(t).
template <class F>
double mean(Index count, const Run& run, F&& f) {
  constexpr Index kGrain = 1 << 14;
  const double sum = parallel_reduce(
      run, count, kGrain, 0.0,
      [&](Index begin, Index end) {
        double part = 0;
        for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) part += f(t);
        return part;
      },
      [](double a, double b) { return a + b; });
  return sum / static_cast<double>(count);
}

/// mean e(t)^2 / mean g(t)^2: the share of g that is left as e. That of a sample has the variance of its influence
/// function e^2 - share g^2, in units of mean g^2, over the number of pairs.
template <class Left, class Given>
Estimate share_left(const DistancePairs& pairs, const Run& run, Left&& left, Given&& given) {
  const auto square = [](double x) { return x * x; };
  const double whole = mean(pairs.size(), run, [&](std::size_t t) { return square(given(t)); });
  const double share = mean(pairs.size(), run, [&](std::size_t t) { return square(left(t)); }) / whole;
  if (pairs.exact) return {share, share, share};
  const double variance =
      mean(pairs.size(), run, [&](std::size_t t) { return square(square(left(t)) - share * square(given(t))); }) /
      square(whole) / static_cast<double>(pairs.size());
  const double half = kNormal95 * std::sqrt(variance);
  return {share, std::max(0.0, share - half), share + half};
}

}  // namespace unroll
