#include "unroll/quality/distance_measures.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/quality/quality.h"

namespace unroll {
namespace {

/// Sums over all pairs, by the definitions.
struct Sums {
  long double count = 0, d = 0, e = 0, dd = 0, ee = 0, de = 0;

  Sums(const Array2<double>& high, const Array2<double>& low) {
    const auto distance = [](const Array2<double>& x, Index i, Index j) {
      double squares = 0;
      for (Index c = 0; c < x.cols(); ++c) squares += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
      return static_cast<long double>(std::sqrt(squares));
    };
    for (Index i = 0; i < high.rows(); ++i)
      for (Index j = 0; j < i; ++j) {
        const long double a = distance(high, i, j), b = distance(low, i, j);
        ++count, d += a, e += b, dd += a * a, ee += b * b, de += a * b;
      }
  }

  double pearson() const {
    return static_cast<double>((count * de - d * e) / std::sqrt((count * dd - d * d) * (count * ee - e * e)));
  }
  double raw(long double scale = 1) const { return static_cast<double>(dd - 2 * scale * de + scale * scale * ee); }
  double scale() const { return static_cast<double>(de / ee); }
  double normalized(long double by = 1) const { return std::sqrt(raw(by) / static_cast<double>(dd)); }
};

/// A map that is near the points, in a unit of its own.
struct ShrunkCopy {
  Array2<double> high, low;

  explicit ShrunkCopy(Index n) : high(normal_matrix(n, 4, 1)), low(normal_matrix(n, 2, 2)) {
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 2; ++c) low(i, c) = 0.3 * (high(i, c) + 0.2 * low(i, c));
  }
};

TEST(Stress, IsThatOfTheDefinition) {
  const ShrunkCopy data(60);
  const Sums sums(data.high, data.low);
  const Stress found = stress(data.high, data.low);
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.pairs, 60 * 59 / 2);
  EXPECT_NEAR(found.scale, sums.scale(), 1e-12);
  EXPECT_NEAR(found.stress_1.value, sums.normalized(sums.scale()), 1e-12);
  EXPECT_NEAR(found.normalized.value, sums.normalized(), 1e-12);
  EXPECT_NEAR(found.raw.value / sums.raw(), 1, 1e-12);
  EXPECT_EQ(found.raw.low, found.raw.value);
  EXPECT_EQ(found.stress_1.high, found.stress_1.value);
  // No other scale leaves less, and stress-1 is the same with the squared distances of the map below.
  for (const double other : {0.99, 1.01}) EXPECT_LT(found.stress_1.value, sums.normalized(other * sums.scale()));
  EXPECT_NEAR(stress(data.low, data.high).stress_1.value, found.stress_1.value, 1e-12);
  const double pearson = sums.pearson();
  const DistanceCorrelation correlation = distance_correlation(data.high, data.low);
  EXPECT_NEAR(correlation.pearson.value, pearson, 1e-12);
  EXPECT_NEAR(correlation.residual_variance.value, 1 - pearson * pearson, 1e-12);
}

TEST(PointStress, IsThatOfThePairsOfAPoint) {
  const ShrunkCopy data(60);
  const double scale = Sums(data.high, data.low).scale();
  const Array2<double> pairs = shepard_pairs(data.high, data.low);  // (0, 1), (0, 2) .. (1, 2) ..
  std::vector<double> left(60), whole(60);
  Index pair = 0;
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = i + 1; j < 60; ++j, ++pair)
      for (const std::size_t point : {i, j}) {
        left[point] += std::pow(pairs(pair, 0) - scale * pairs(pair, 1), 2);
        whole[point] += std::pow(pairs(pair, 0), 2);
      }
  const std::vector<double> found = point_stress(data.high, data.low);
  ASSERT_EQ(found.size(), 60U);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(found[i], std::sqrt(left[i] / whole[i]), 1e-12);
  EXPECT_EQ(point_stress(data.high, data.low, {}, unroll::Run{.threads = 3}), found);
  for (const double none : point_stress(data.high, data.high)) EXPECT_EQ(none, 0);
  for (const double all : point_stress(data.high, Array2<double>(60, 2))) EXPECT_EQ(all, 1);
}

TEST(Stress, OfACopyInAnotherUnitIsZero) {
  const Array2<double> x = normal_matrix(50, 3, 3);
  Array2<double> doubled = x;
  for (Index i = 0; i < x.size(); ++i) doubled.data()[i] *= 2;
  const Stress same = stress(x, x), other = stress(x, doubled);
  EXPECT_EQ(same.stress_1.value, 0);
  EXPECT_EQ(same.raw.value, 0);
  EXPECT_EQ(same.scale, 1);
  EXPECT_EQ(other.stress_1.value, 0);
  EXPECT_EQ(other.scale, 0.5);
  EXPECT_EQ(other.normalized.value, 1);
  EXPECT_NEAR(distance_correlation(x, doubled).residual_variance.value, 0, 1e-15);
}

TEST(Stress, OfMapsWithoutAShape) {
  const Array2<double> x = normal_matrix(20, 3, 4), point(20, 2);
  const Stress collapsed = stress(x, point);
  EXPECT_EQ(collapsed.stress_1.value, 1);
  EXPECT_EQ(collapsed.normalized.value, 1);
  EXPECT_EQ(collapsed.scale, 0);
  EXPECT_TRUE(std::isnan(stress(point, x).stress_1.value));
  EXPECT_TRUE(std::isnan(distance_correlation(x, point).residual_variance.value));
}

TEST(Stress, OfNumbersNearTheEndsOfDouble) {
  const ShrunkCopy data(40);
  const Stress plain = stress(data.high, data.low);
  for (const double unit : {0x1p1000, 0x1p-1000}) {
    Array2<double> high = data.high, low = data.low;
    for (Index i = 0; i < high.size(); ++i) high.data()[i] *= unit;
    for (Index i = 0; i < low.size(); ++i) low.data()[i] *= unit;
    const Stress both = stress(high, low);
    EXPECT_EQ(both.stress_1.value, plain.stress_1.value);
    EXPECT_EQ(both.normalized.value, plain.normalized.value);
    EXPECT_EQ(both.scale, plain.scale);
    EXPECT_TRUE(unit < 1 ? both.raw.value == 0 : std::isnan(both.raw.value));  // the sum of squares leaves the range
    EXPECT_EQ(stress(data.high, low).stress_1.value, plain.stress_1.value);
  }
}

TEST(Stress, DoesNotDependOnThreads) {
  const ShrunkCopy data(300);
  for (const Index pairs : {1000, 1'000'000}) {
    const Stress one = stress(data.high, data.low, {.max_pairs = pairs}, unroll::Run{.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const Stress again = stress(data.high, data.low, {.max_pairs = pairs}, unroll::Run{.threads = threads});
      EXPECT_EQ(again.stress_1.low, one.stress_1.low);
      EXPECT_EQ(again.raw.high, one.raw.high);
    }
  }
}

bool holds(const Estimate& estimate, double truth) { return estimate.low <= truth && truth <= estimate.high; }

/// Of how many samples the intervals hold: stress-1, normalized and raw stress, Pearson's correlation and the residual
/// variance.
std::array<int, 5> pair_intervals_that_hold(const ShrunkCopy& data, Index pairs, std::int64_t repetitions) {
  const Sums sums(data.high, data.low);
  const double pearson = sums.pearson();
  std::array<int, 5> held{};
  for (std::int64_t seed = 0; seed < repetitions; ++seed) {
    const QualityOptions options{.max_pairs = pairs, .random_state = seed};
    const Stress some = stress(data.high, data.low, options);
    const DistanceCorrelation correlation = distance_correlation(data.high, data.low, options);
    EXPECT_EQ(some.pairs, pairs);
    EXPECT_LT(some.stress_1.high - some.stress_1.low, 0.05);
    held[0] += holds(some.stress_1, sums.normalized(sums.scale())) ? 1 : 0;
    held[1] += holds(some.normalized, sums.normalized()) ? 1 : 0;
    held[2] += holds(some.raw, sums.raw()) ? 1 : 0;
    held[3] += holds(correlation.pearson, pearson) ? 1 : 0;
    held[4] += holds(correlation.residual_variance, 1 - pearson * pearson) ? 1 : 0;
  }
  return held;
}

TEST(Stress, OfASampleHasAnIntervalThatHolds) {
  // Of 400 intervals 380 hold on average, with a standard deviation of 4.4; 22 is five of them.
  for (const int held : pair_intervals_that_hold(ShrunkCopy(300), 1000, 400)) EXPECT_NEAR(held, 380, 22);
}

TEST(StressSlow, OfASampleOfManyPointsHasAnIntervalThatHolds) {
  for (const int held : pair_intervals_that_hold(ShrunkCopy(20'000), 100'000, 50)) EXPECT_GE(held, 45);
}

TEST(Shepard, HasTheDistancesOfPairs) {
  const ShrunkCopy data(30);
  const Array2<double> all = shepard_pairs(data.high, data.low);
  ASSERT_EQ(all.rows(), 30 * 29 / 2);
  const Sums sums(data.high, data.low);
  double products = 0;
  for (Index i = 0; i < all.rows(); ++i) products += all(i, 0) * all(i, 1);
  EXPECT_NEAR(products, static_cast<double>(sums.de), 1e-10);
  std::set<std::pair<double, double>> pairs;
  for (Index i = 0; i < all.rows(); ++i) pairs.emplace(all(i, 0), all(i, 1));
  const Array2<double> some = shepard_pairs(data.high, data.low, 100);
  ASSERT_EQ(some.rows(), 100);
  for (Index i = 0; i < some.rows(); ++i) EXPECT_TRUE(pairs.contains({some(i, 0), some(i, 1)}));
  Array2<double> large = data.high;
  large(0, 0) = 1.7e308;
  large(1, 0) = -1.7e308;
  expect_error(ErrorKind::InvalidData, "distances overflow", [&] { shepard_pairs(large, data.low); });
}

TEST(Quality, MeasuresDistancesOfTheSamePairs) {
  const ShrunkCopy data(100);
  const QualityOptions options{.max_pairs = 500};
  const Quality all = quality(data.high, data.low, {}, options);
  EXPECT_EQ(all.stress.stress_1.low, stress(data.high, data.low, options).stress_1.low);
  EXPECT_EQ(all.distance_correlation.residual_variance.high,
            distance_correlation(data.high, data.low, options).residual_variance.high);
  EXPECT_EQ(all.co_ranking.area.per_point, co_ranking(data.high, data.low, options).area.per_point);
  const Quality only = quality(data.high, data.low, {}, {.measures = {QualityMeasure::Stress}});
  EXPECT_EQ(only.distance_correlation.pairs, 0);
  EXPECT_EQ(only.co_ranking.area.sample, 0);
  EXPECT_EQ(only.stress.pairs, 100 * 99 / 2);
}

}  // namespace
}  // namespace unroll
