#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "unroll/core/types.h"

/// Strips of width 1, and how well a map tells the width of a strip or of a rolled-up one.
namespace unroll {

inline Array2<double> random_strip(Index n, double length, std::uint64_t seed) {
  Array2<double> x(n, 2);
  const Random random(seed, "strip");
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = length * random.uniform(static_cast<std::uint64_t>(i), 0);
    x(i, 1) = random.uniform(static_cast<std::uint64_t>(i), 1);
  }
  return x;
}

/// Spread evenly, so that noise mixes eigenvectors little: multiples of 1/g and 1/g^2, g^3 = g + 1, without their whole
/// parts.
inline Array2<double> even_strip(Index n, double length) {
  constexpr double kG = 1.324717957244746;
  Array2<double> x(n, 2);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = length * std::fmod(static_cast<double>(i) / kG, 1);
    x(i, 1) = std::fmod(static_cast<double>(i) / (kG * kG), 1);
  }
  return x;
}

/// Of column a of x with column b of y, without its sign.
inline double correlation(const Array2<double>& x, Index a, const Array2<double>& y, Index b) {
  const auto n = static_cast<double>(x.rows());
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (Index i = 0; i < x.rows(); ++i) mean_x += x(i, a) / n, mean_y += y(i, b) / n;
  for (Index i = 0; i < x.rows(); ++i) {
    const double u = x(i, a) - mean_x, v = y(i, b) - mean_y;
    xx += u * u, yy += v * v, xy += u * v;
  }
  return std::abs(xy) / std::sqrt(xx * yy);
}

/// The share of the variance of a true coordinate that a map tells, by the mean of the 8 points nearest in it; of every
/// seventh point.
inline double share_told(Array2<double> map, const Array2<double>& truth, Index column) {
  constexpr Index kNearest = 8, kStep = 7;
  const Index n = map.rows();
  for (Index k = 0; k < map.cols(); ++k) {
    double squares = 0;
    for (Index i = 0; i < n; ++i) squares += map(i, k) * map(i, k);
    for (Index i = 0; i < n; ++i) map(i, k) /= std::sqrt(squares);
  }
  double mean = 0, all = 0, left = 0;
  for (Index i = 0; i < n; ++i) mean += truth(i, column) / static_cast<double>(n);
  std::vector<std::pair<double, Index>> near(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; i += kStep) {
    for (Index j = 0; j < n; ++j) {
      double d = i == j ? HUGE_VAL : 0;
      for (Index k = 0; k < map.cols(); ++k) d += (map(i, k) - map(j, k)) * (map(i, k) - map(j, k));
      near[static_cast<std::size_t>(j)] = {d, j};
    }
    std::nth_element(near.begin(), near.begin() + kNearest, near.end());
    double fitted = 0;
    for (auto it = near.begin(); it != near.begin() + kNearest; ++it) fitted += truth(it->second, column) / kNearest;
    left += (truth(i, column) - fitted) * (truth(i, column) - fitted);
    all += (truth(i, column) - mean) * (truth(i, column) - mean);
  }
  return 1 - left / all;
}

}  // namespace unroll
