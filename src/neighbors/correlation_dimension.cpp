#include "unroll/neighbors/correlation_dimension.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "core/random.h"
#include "neighbors/pair_distance.h"

namespace unroll {
namespace {

constexpr Index kMostPairs = 1'000'000;
constexpr Index kLowCount = 20, kHighCount = 200;  // at least, of the pairs in the range
constexpr Index kLowPart = 1000, kHighPart = 100;  // the range is from pairs / 1000 to pairs / 100
constexpr Index kRadii = 32;

/// The distances of all pairs.
std::vector<double> all_distances(const PairDistance& distance, Index n, const Run& run) {
  constexpr Index kRows = 16;
  std::vector<double> result(at(n * (n - 1) / 2));
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = i + 1, pair = i * (2 * n - i - 1) / 2; j < n; ++j, ++pair)
        result[at(pair)] = distance.scaled(i, j);
  });
  return result;
}

/// Those of pairs drawn with replacement, each equally likely.
std::vector<double> some_distances(const PairDistance& distance, Index n, std::uint64_t seed, const Run& run) {
  constexpr Index kPairs = 1 << 14;
  const Random random(seed, "correlation_dimension.pairs");
  std::vector<double> result(at(kMostPairs));
  parallel_for(run, kMostPairs, kPairs, [&](Index begin, Index end) {
    for (Index pair = begin; pair < end; ++pair) {
      const auto number = static_cast<std::uint64_t>(pair);
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n), number, 0));
      const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1), number, 1));
      result[at(pair)] = distance.scaled(i, j < i ? j : j + 1);
    }
  });
  return result;
}

/// The slope of y against x by least squares; 0 where x does not vary.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, products = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<double>(x.size());
    mean_y += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  // Radii that are equal up to rounding have no slope.
  return squares > 1e-20 * static_cast<double>(x.size()) ? products / squares : 0;
}

}  // namespace

CorrelationDimension correlation_dimension(PointsView points, const NeighborOptions& options, const Run& run) {
  const Index n = points.rows();
  CorrelationDimension result{.exact = n * (n - 1) / 2 <= kMostPairs};
  const PairDistance distance(points, options, run);
  std::vector<double> all = result.exact
                                ? all_distances(distance, n, run)
                                : some_distances(distance, n, static_cast<std::uint64_t>(options.random_state), run);
  result.pairs = std::ssize(all);
  // Only the shortest are read.
  const Index zeros = std::count(all.begin(), all.end(), 0.0);
  const Index low = zeros + std::max(kLowCount, result.pairs / kLowPart);
  const Index high = zeros + std::max(kHighCount, result.pairs / kHighPart);
  if (high > result.pairs) return result;
  std::partial_sort(all.begin(), all.begin() + high, all.end());

  std::vector<double> radii, shares;
  const double growth = std::log(static_cast<double>(high) / static_cast<double>(low));
  for (Index step = 0; step < kRadii; ++step) {
    const double part = static_cast<double>(step) / static_cast<double>(kRadii - 1);
    const auto count = static_cast<Index>(std::llround(static_cast<double>(low) * std::exp(growth * part)));
    radii.push_back(std::log(all[at(count - 1)]));
    shares.push_back(std::log(static_cast<double>(count)));
  }
  result.dimension = slope(radii, shares);
  result.low_radius = all[at(low - 1)] / distance.factor();
  result.high_radius = all[at(high - 1)] / distance.factor();
  result.low_share = static_cast<double>(low) / static_cast<double>(result.pairs);
  result.high_share = static_cast<double>(high) / static_cast<double>(result.pairs);
  return result;
}

}  // namespace unroll
