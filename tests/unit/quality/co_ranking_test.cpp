#include "unroll/quality/co_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

using Ranks = std::vector<std::vector<Index>>;

/// By the definition: the place of j among all others by their distance from i, ties by index.
Ranks ranks_of(const Array2<double>& x) {
  const Index n = x.rows();
  Ranks ranks(static_cast<std::size_t>(n), std::vector<Index>(static_cast<std::size_t>(n)));
  for (Index i = 0; i < n; ++i) {
    std::vector<std::pair<double, Index>> others;
    for (Index j = 0; j < n; ++j) {
      double squares = 0;
      for (Index c = 0; c < x.cols(); ++c) squares += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
      if (j != i) others.emplace_back(std::sqrt(squares), j);
    }
    std::sort(others.begin(), others.end());
    for (std::size_t place = 0; place < others.size(); ++place)
      ranks[static_cast<std::size_t>(i)][static_cast<std::size_t>(others[place].second)] =
          static_cast<Index>(place) + 1;
  }
  return ranks;
}

/// The share of the K nearest of these points that are among the K nearest in the map.
double kept_share(const Ranks& high, const Ranks& low, std::size_t first, std::size_t last, Index k) {
  Index kept = 0;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < high.size(); ++j) kept += i != j && high[i][j] <= k && low[i][j] <= k ? 1 : 0;
  return static_cast<double>(kept) / static_cast<double>(k) / static_cast<double>(last - first);
}

struct Naive {
  std::vector<double> q, r;
  double area = 0;

  Naive(const Ranks& high, const Ranks& low, std::size_t first, std::size_t last) {
    const auto others = static_cast<Index>(high.size()) - 1;
    double whole = 0;
    for (Index k = 1; k <= others; ++k) {
      q.push_back(kept_share(high, low, first, last, k));
      if (k == others) break;
      r.push_back((static_cast<double>(others) * q.back() - static_cast<double>(k)) / static_cast<double>(others - k));
      area += r.back() / static_cast<double>(k);
      whole += 1 / static_cast<double>(k);
    }
    area /= whole;
  }
};

void expect_all_near(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
}

void expect_by_definition(const Array2<double>& high, const Array2<double>& low) {
  const Ranks in_high = ranks_of(high), in_low = ranks_of(low);
  const CoRanking found = co_ranking(high, low);
  const Naive all(in_high, in_low, 0, in_high.size());
  expect_all_near(found.q_nx, all.q);
  expect_all_near(found.r_nx, all.r);
  EXPECT_NEAR(found.area.value, all.area, 1e-12);
  EXPECT_EQ(found.area.low, found.area.value);
  EXPECT_EQ(found.area.high, found.area.value);
  ASSERT_EQ(found.area.sample, high.rows());
  ASSERT_EQ(found.area.per_point.size(), in_high.size());
  for (std::size_t i = 0; i < in_high.size(); ++i)
    EXPECT_NEAR(found.area.per_point[i], Naive(in_high, in_low, i, i + 1).area, 1e-12) << i;

  const auto n = static_cast<double>(high.rows());
  std::vector<double> above_chance;
  for (std::size_t k = 1; k <= all.q.size(); ++k)
    above_chance.push_back(all.q[k - 1] - static_cast<double>(k) / (n - 1));
  const auto k_max = std::max_element(above_chance.begin(), above_chance.end()) - above_chance.begin() + 1;
  EXPECT_NEAR(above_chance[static_cast<std::size_t>(found.k_max) - 1],
              above_chance[static_cast<std::size_t>(k_max) - 1], 1e-12);
  const auto peak = all.q.begin() + found.k_max;
  EXPECT_NEAR(found.q_local, std::accumulate(all.q.begin(), peak, 0.0) / static_cast<double>(found.k_max), 1e-12);
  EXPECT_NEAR(found.q_global, std::accumulate(peak - 1, all.q.end(), 0.0) / (n - static_cast<double>(found.k_max)),
              1e-12);
}

/// Whole numbers: many distances are equal, and exactly so.
Array2<double> lattice(Index n, Index cols, std::uint64_t seed) {
  Array2<double> x = normal_matrix(n, cols, seed);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::round(x.data()[i]);
  return x;
}

TEST(CoRanking, IsThatOfTheDefinition) {
  expect_by_definition(normal_matrix(60, 5, 1), normal_matrix(60, 2, 2));
  Array2<double> high = normal_matrix(70, 3, 3), low(70, 2);
  for (Index i = 0; i < 70; ++i)
    for (Index j = 0; j < 2; ++j) low(i, j) = high(i, j) + 0.1 * std::sin(static_cast<double>(7 * i + j));
  expect_by_definition(high, low);
  for (const Index n : {3, 4, 5}) expect_by_definition(normal_matrix(n, 2, 4), normal_matrix(n, 1, 5));
}

TEST(CoRanking, TiesGoToTheSmallerIndex) {
  expect_by_definition(lattice(50, 2, 1), lattice(50, 2, 2));
  expect_by_definition(lattice(50, 3, 1), Array2<double>(50, 2));  // a map that has collapsed to a point
}

/// Distances that differ by less than single precision are told apart.
TEST(CoRanking, SeesSmallDifferences) {
  Array2<double> high(40, 1), low(40, 1);
  for (Index i = 0; i < 40; ++i) {
    high(i, 0) = i == 0 ? -1 : 1 + 1e-10 * static_cast<double>(i * 17 % 40);
    low(i, 0) = static_cast<double>(i * 17 % 40) + (i == 0 ? 0 : 1000);
  }
  expect_by_definition(high, low);
}

/// The matrix whose entry (k, l) counts the pairs of rank k + 1 in `high` and l + 1 in `low` (Lee & Verleysen 2009).
TEST(CoRanking, KeepsTheIdentitiesOfTheMatrix) {
  constexpr Index kPoints = 40;
  const Array2<double> high = normal_matrix(kPoints, 4, 6), low = normal_matrix(kPoints, 2, 7);
  const Ranks in_high = ranks_of(high), in_low = ranks_of(low);
  Array2<double> matrix(kPoints - 1, kPoints - 1);
  for (std::size_t i = 0; i < in_high.size(); ++i)
    for (std::size_t j = 0; j < in_high.size(); ++j)
      if (i != j) matrix(in_high[i][j] - 1, in_low[i][j] - 1) += 1;
  const CoRanking found = co_ranking(high, low);
  for (const Index k : {1, 5, 19}) {
    double inside = 0, intrusions = 0, extrusions = 0;
    for (Index a = 0; a < kPoints - 1; ++a) {
      double row = 0;
      for (Index b = 0; b < kPoints - 1; ++b) {
        row += matrix(a, b);
        inside += a < k && b < k ? matrix(a, b) : 0;
        intrusions += a >= k && b < k ? static_cast<double>(a + 1 - k) * matrix(a, b) : 0;
        extrusions += a < k && b >= k ? static_cast<double>(b + 1 - k) * matrix(a, b) : 0;
      }
      EXPECT_EQ(row, kPoints);
    }
    const QualityOptions options{.n_neighbors = k};
    const double worst = static_cast<double>(kPoints * k * (2 * kPoints - 3 * k - 1)) / 2;
    EXPECT_NEAR(trustworthiness(high, low, options).value, 1 - intrusions / worst, 1e-12);
    EXPECT_NEAR(continuity(high, low, options).value, 1 - extrusions / worst, 1e-12);
    EXPECT_NEAR(found.q_nx[static_cast<std::size_t>(k) - 1], inside / static_cast<double>(k * kPoints), 1e-12);
    EXPECT_NEAR(found.q_nx[static_cast<std::size_t>(k) - 1], neighbor_preservation(high, low, options).value, 1e-12);
  }
  const CoRanking reversed = co_ranking(low, high);
  EXPECT_EQ(reversed.q_nx, found.q_nx);
  EXPECT_EQ(reversed.area.per_point, found.area.per_point);
  EXPECT_EQ(found.q_nx.back(), 1);
}

TEST(CoRanking, OfThePointsThemselvesIsOne) {
  const Array2<double> x = normal_matrix(300, 3, 8);
  const CoRanking same = co_ranking(x, x);
  for (const double r : same.r_nx) EXPECT_EQ(r, 1);
  for (const double area : same.area.per_point) EXPECT_EQ(area, 1);
  EXPECT_EQ(same.area.value, 1);
  EXPECT_EQ(same.k_max, 1);
  EXPECT_EQ(same.q_local, 1);
  EXPECT_EQ(same.q_global, 1);
}

/// The mean area of independent maps is 0: every pair of ranks is equally likely.
TEST(CoRanking, OfChanceIsZero) {
  const CoRanking chance = co_ranking(normal_matrix(1000, 3, 9), normal_matrix(1000, 2, 10));
  EXPECT_NEAR(chance.area.value, 0, 0.02);
}

TEST(CoRanking, OfSeveralMapsIsThatOfEach) {
  const Array2<double> high = normal_matrix(400, 6, 11), a = normal_matrix(400, 2, 12), b = normal_matrix(400, 3, 13);
  const QualityOptions options{.rank_points = 150, .random_state = 3};
  const std::vector<PointsView> maps{a, b};
  const std::vector<CoRanking> both = co_rankings(high, maps, options);
  ASSERT_EQ(both.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    const CoRanking one = co_ranking(high, maps[m], options);
    EXPECT_EQ(both[m].q_nx, one.q_nx);
    EXPECT_EQ(both[m].area.value, one.area.value);
    EXPECT_EQ(both[m].area.low, one.area.low);
    EXPECT_EQ(one.area.sample, 150);
    EXPECT_TRUE(one.area.per_point.empty());
  }
  EXPECT_TRUE(co_rankings(high, {}, options).empty());
}

TEST(CoRanking, DoesNotDependOnThreadsOrUnits) {
  const Array2<double> high = normal_matrix(200, 4, 14), low = normal_matrix(200, 2, 15);
  const CoRanking plain = co_ranking(high, low, {}, unroll::Run{.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const CoRanking again = co_ranking(high, low, {}, unroll::Run{.threads = threads});
    EXPECT_EQ(again.q_nx, plain.q_nx);
    EXPECT_EQ(again.area.per_point, plain.area.per_point);
    EXPECT_EQ(again.area.value, plain.area.value);
  }
  for (const double unit : {0x1p900, 0x1p-900}) {
    Array2<double> scaled = low;
    for (Index i = 0; i < scaled.size(); ++i) scaled.data()[i] *= unit;
    EXPECT_EQ(co_ranking(high, scaled).q_nx, plain.q_nx);
  }
}

TEST(CoRanking, TakesAnyMetricAndScaling) {
  const Array2<double> high = normal_matrix(80, 4, 16), low = normal_matrix(80, 2, 17);
  Array2<double> distances(80, 80), standardized = high;
  for (Index i = 0; i < 80; ++i)
    for (Index j = 0; j < 80; ++j) {
      for (Index c = 0; c < 4; ++c) distances(i, j) += std::abs(high(i, c) - high(j, c));
    }
  EXPECT_EQ(co_ranking(high, low, {.metric = Metric::Manhattan}).q_nx,
            co_ranking(distances, low, {.metric = Metric::Precomputed}).q_nx);
  for (Index i = 0; i < 80; ++i) standardized(i, 0) *= 100;
  EXPECT_NE(co_ranking(standardized, low).q_nx, co_ranking(high, low).q_nx);
  EXPECT_GT(co_ranking(standardized, high, {.scale = Scaling::Standardize}).area.value, 0.9);
}

TEST(CoRanking, RefusesWhatDoesNotFit) {
  expect_error(ErrorKind::InvalidData, "there are 2 points; ranks of neighbors need at least 3",
               [&] { co_ranking(normal_matrix(2, 2, 1), normal_matrix(2, 1, 1)); });
  expect_error(ErrorKind::InvalidData, "5 points but coordinates of 4",
               [&] { co_ranking(normal_matrix(5, 2, 1), normal_matrix(4, 1, 1)); });
}

/// A noisy projection: the areas of points differ.
struct Projected {
  Array2<double> high, low;

  explicit Projected(Index n) : high(normal_matrix(n, 4, 18)), low(normal_matrix(n, 2, 19)) {
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 2; ++c) low(i, c) = high(i, c) + 0.2 * low(i, c);
  }
};

int intervals_that_hold(const Projected& data, Index sample, Index repetitions) {
  const double truth = co_ranking(data.high, data.low, {.rank_points = data.high.rows()}).area.value;
  int held = 0;
  for (Index seed = 0; seed < repetitions; ++seed) {
    const NeighborhoodMeasure some =
        co_ranking(data.high, data.low, {.rank_points = sample, .random_state = seed}).area;
    EXPECT_EQ(some.sample, sample);
    EXPECT_LT(some.high - some.low, 0.1);
    held += some.low <= truth && truth <= some.high ? 1 : 0;
  }
  return held;
}

TEST(CoRanking, OfASampleHasAnIntervalThatHolds) {
  EXPECT_GE(intervals_that_hold(Projected(2000), 300, 50), 45);  // of 47.5 expected
}

TEST(CoRankingSlow, OfASampleOfManyPointsHasAnIntervalThatHolds) {
  EXPECT_GE(intervals_that_hold(Projected(20'000), 500, 50), 45);
}

TEST(LogSpacedRanks, GoFromOneToTheLast) {
  EXPECT_EQ(log_spaced_ranks(5, 100), (std::vector<Index>{1, 2, 3, 4, 5}));
  EXPECT_EQ(log_spaced_ranks(1000, 4), (std::vector<Index>{1, 10, 100, 1000}));
  EXPECT_EQ(log_spaced_ranks(1, 10), std::vector<Index>{1});
  EXPECT_EQ(log_spaced_ranks(999'998, 200).back(), 999'998);
}

}  // namespace
}  // namespace unroll
