#include "neighbors/farthest_first.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "support/distances.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Every distance to every chosen point, in plain loops.
std::vector<Index> plainly(const std::vector<Index>& among, Index count, Index first, const PairDistance& distance) {
  std::vector<double> nearest(among.size(), std::numeric_limits<double>::infinity());
  std::vector<Index> chosen;
  for (auto next = static_cast<std::size_t>(first); std::ssize(chosen) < count;
       next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin())) {
    chosen.push_back(among[next]);
    nearest[next] = -1;
    for (std::size_t i = 0; i < among.size(); ++i)
      nearest[i] = std::min(nearest[i], distance.scaled(among[i], chosen.back()));
  }
  return chosen;
}

void expect_plain_choice(PointsView points, const NeighborOptions& options) {
  std::vector<Index> among(static_cast<std::size_t>(points.rows()));
  std::iota(among.rbegin(), among.rend(), Index{0});  // not in the order of the points
  const PairDistance distance(points, options, {});
  const Index all = points.rows();
  for (const Index count : {Index{1}, all / 9, all}) {
    const std::vector<Index> expected = plainly(among, count, 7, distance);
    for (const int threads : {1, 2, 3, 8})
      EXPECT_EQ(farthest_first(among, count, 7, distance, {.threads = threads}), expected);
  }
}

Array2<double> scaled(Array2<double> x, double factor) {
  for (Index i = 0; i < x.size(); ++i) x.data()[i] *= factor;
  return x;
}

TEST(FarthestFirst, IsThatOfPlainLoops) {
  for (const Index features : {1, 3, 40}) {
    const Array2<double> x = normal_matrix(250, features, 1);
    for (const Metric metric :
         {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski, Metric::Hamming})
      expect_plain_choice(x, {.metric = metric, .p = 3});
    expect_plain_choice(as_float(x), {});
  }
  // More than a block of points at a time.
  const Array2<double> many = normal_matrix(5000, 2, 2);
  std::vector<Index> among(5000);
  std::iota(among.begin(), among.end(), Index{0});
  const PairDistance distance(many, {}, {});
  EXPECT_EQ(farthest_first(among, 50, 0, distance, {.threads = 3}), plainly(among, 50, 0, distance));
}

// Without the triangle inequality, nothing may be left out.
TEST(FarthestFirst, OfDistancesThatAreNoMetric) {
  const Array2<double> x = normal_matrix(300, 3, 3);
  expect_plain_choice(x, {.metric = Metric::Cosine});
  expect_plain_choice(x, {.metric = Metric::Correlation});
  Array2<double> given = distances_between(x);
  for (Index i = 0; i < given.size(); ++i) given.data()[i] *= given.data()[i] * given.data()[i];
  expect_plain_choice(given, {.metric = Metric::Precomputed});
}

// Of a grid most distances are ties, for the largest as for the nearest, and the bound is met exactly.
TEST(FarthestFirst, TiesAndCopiesGoByTheirOrder) {
  Array2<double> grid(625, 2);
  for (Index i = 0; i < 625; ++i)
    grid(i, 0) = static_cast<double>(i / 25 % 20), grid(i, 1) = static_cast<double>(i % 25);
  for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev})
    expect_plain_choice(grid, {.metric = metric});
  expect_plain_choice(Array2<double>(40, 3), {});  // all at one place
}

TEST(FarthestFirst, AtTheEndsOfTheRange) {
  const Array2<double> x = normal_matrix(300, 2, 4);
  for (const double factor : {1e-322, 1e-310, 1e-160, 1e300}) expect_plain_choice(scaled(x, factor), {});
  Array2<double> mixed = x;  // squares of the small distances vanish
  for (Index i = 0; i < 150; ++i) mixed(i, 0) *= 1e-200, mixed(i, 1) *= 1e-200;
  expect_plain_choice(mixed, {});
}

}  // namespace
}  // namespace unroll
