#include "unroll/quality/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

// The numbers below are those of scikit-learn 1.2 and SciPy 1.10:
//   i = np.arange(20)[:, None]
//   high = np.sin(1.3 * i * (np.arange(3) + 1)) + 0.1 * i
//   low = high[:, :2] + 0.4 * np.cos(2.1 * i + np.arange(2))
//   truth = np.hstack([high[:, :1] ** 2, high[:, 1:2]])
//   labels = np.arange(20) // 4 % 3
//   trustworthiness(high, low, n_neighbors=4), trustworthiness(low, high, n_neighbors=4)
//   near = lambda x: NearestNeighbors(n_neighbors=4).fit(x).kneighbors(return_distance=False)
//   np.mean([len(set(a) & set(b)) / 4 for a, b in zip(near(high), near(low))])
//   np.mean(mode(labels[near(x)], axis=1).mode == labels)
//   pearsonr(pdist(high), pdist(low))[0], spearmanr(pdist(high), pdist(low))[0]
//   [LinearRegression().fit(low, t).score(low, t) for t in truth.T]
//   procrustes(truth, low)[2], procrustes(high, np.hstack([low, np.zeros((20, 1))]))[2]
struct Example {
  Array2<double> high{20, 3}, low{20, 2}, truth{20, 2};
  std::vector<std::int64_t> labels;
  QualityOptions options{.n_neighbors = 4};

  Example() {
    for (Index i = 0; i < 20; ++i) {
      const auto t = static_cast<double>(i);
      for (Index j = 0; j < 3; ++j) high(i, j) = std::sin(1.3 * t * static_cast<double>(j + 1)) + 0.1 * t;
      for (Index j = 0; j < 2; ++j) low(i, j) = high(i, j) + 0.4 * std::cos(2.1 * t + static_cast<double>(j));
      truth(i, 0) = high(i, 0) * high(i, 0);
      truth(i, 1) = high(i, 1);
      labels.push_back(i / 4 % 3);
    }
  }
};
constexpr double kTight = 1e-12;

void expect_mean(const NeighborhoodMeasure& measure, double value) {
  EXPECT_NEAR(measure.value, value, kTight);
  ASSERT_EQ(measure.per_point.size(), 20U);
  EXPECT_NEAR(std::accumulate(measure.per_point.begin(), measure.per_point.end(), 0.0) / 20, value, kTight);
}

TEST(Quality, AgreesWithScikitLearnAndSciPy) {
  const Example e;
  expect_mean(trustworthiness(e.high, e.low, e.options), 0.85);
  expect_mean(continuity(e.high, e.low, e.options), 0.8527777777777777);
  expect_mean(neighbor_preservation(e.high, e.low, e.options), 0.5375);
  EXPECT_EQ(label_accuracy(e.high, e.labels, e.options), 0.25);
  EXPECT_EQ(label_accuracy(e.low, e.labels, e.options), 0.4);
  const DistanceCorrelation correlation = distance_correlation(e.high, e.low, e.options);
  EXPECT_NEAR(correlation.pearson.value, 0.7011587372094404, kTight);
  EXPECT_NEAR(correlation.spearman.value, 0.6785086625814098, kTight);
  EXPECT_TRUE(correlation.exact);
  EXPECT_EQ(correlation.pairs, 190);
  const std::vector<double> r2 = affine_r2(e.low, e.truth);
  ASSERT_EQ(r2.size(), 2U);
  EXPECT_NEAR(r2[0], 0.7486217080488545, kTight);
  EXPECT_NEAR(r2[1], 0.9037158737081714, kTight);
  EXPECT_NEAR(procrustes(e.truth, e.low), 0.30836431239048084, kTight);
  EXPECT_NEAR(procrustes(e.high, e.low), 0.3509586967438168, kTight);
}

/// order[i]: the other points by their distance from i, ties by index.
std::vector<std::vector<Index>> orders_of(const Array2<double>& x) {
  std::vector<std::vector<Index>> orders;
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<std::pair<double, Index>> others;
    for (Index j = 0; j < x.rows(); ++j) {
      double squares = 0;
      for (Index c = 0; c < x.cols(); ++c) squares += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
      if (j != i) others.emplace_back(squares, j);
    }
    std::sort(others.begin(), others.end());
    orders.emplace_back();
    for (const auto& other : others) orders.back().push_back(other.second);
  }
  return orders;
}

Index rank_in(const std::vector<Index>& order, Index point) {
  return std::find(order.begin(), order.end(), point) - order.begin() + 1;
}

/// 1 - the excess of ranks in `judge` over k of the k nearest in `asked`, over its greatest value.
double rank_measure_by_hand(const std::vector<Index>& asked, const std::vector<Index>& judge, Index k) {
  double excess = 0;
  for (Index place = 0; place < k; ++place)
    excess += static_cast<double>(std::max<Index>(0, rank_in(judge, asked[static_cast<std::size_t>(place)]) - k));
  const auto n = std::ssize(asked) + 1;
  return 1 - 2 * excess / static_cast<double>(k * (2 * n - 3 * k - 1));
}

TEST(Quality, OfEveryPointIsThatOfTheDefinition) {
  constexpr Index kPoints = 70, kNear = 6;
  const Array2<double> high = normal_matrix(kPoints, 4, 11), low = normal_matrix(kPoints, 2, 12);
  const auto in_high = orders_of(high), in_low = orders_of(low);
  const NeighborhoodQuality found = neighborhood_quality(high, low, {.n_neighbors = kNear});
  for (std::size_t i = 0; i < kPoints; ++i) {
    EXPECT_NEAR(found.trustworthiness.per_point[i], rank_measure_by_hand(in_low[i], in_high[i], kNear), kTight);
    EXPECT_NEAR(found.continuity.per_point[i], rank_measure_by_hand(in_high[i], in_low[i], kNear), kTight);
    double shared = 0;
    for (Index place = 0; place < kNear; ++place)
      shared += rank_in(in_low[i], in_high[i][static_cast<std::size_t>(place)]) <= kNear ? 1.0 / kNear : 0;
    EXPECT_NEAR(found.neighbor_preservation.per_point[i], shared, kTight);
  }
}

TEST(Quality, NeighborsThatWereFoundBeforeAreTaken) {
  const Example e;
  const Neighbors near = neighbors(e.high, {.n_neighbors = 9});  // more than are needed
  const Quality searched = quality(e.high, e.low, {e.truth, e.labels}, e.options);
  const Quality given = quality(e.high, e.low, {e.truth, e.labels, &near}, e.options);
  EXPECT_EQ(given.trustworthiness.per_point, searched.trustworthiness.per_point);
  EXPECT_EQ(given.continuity.per_point, searched.continuity.per_point);
  EXPECT_EQ(given.neighbor_preservation.per_point, searched.neighbor_preservation.per_point);
  EXPECT_EQ(given.labels->accuracy_high, searched.labels->accuracy_high);
  const Neighbors others = neighbors(e.low, {.n_neighbors = 9});
  EXPECT_NE(quality(e.high, e.low, {{}, {}, &others}, e.options).continuity.value, searched.continuity.value);
  const Neighbors few = neighbors(e.high, {.n_neighbors = 3});
  expect_error(ErrorKind::InvalidData, "came with 3 neighbors, n_neighbors=4", [&] {
    quality(e.high, e.low, {{}, {}, &few}, e.options);
  });
}

TEST(Quality, AllTogetherIsEachByItself) {
  const Example e;
  const Quality all = quality(e.high, e.low, {e.truth, e.labels}, e.options);
  EXPECT_EQ(all.trustworthiness.per_point, trustworthiness(e.high, e.low, e.options).per_point);
  EXPECT_EQ(all.continuity.per_point, continuity(e.high, e.low, e.options).per_point);
  EXPECT_EQ(all.neighbor_preservation.per_point, neighbor_preservation(e.high, e.low, e.options).per_point);
  EXPECT_EQ(all.distance_correlation.spearman.value, distance_correlation(e.high, e.low).spearman.value);
  ASSERT_TRUE(all.labels && all.truth);
  EXPECT_EQ(all.labels->accuracy, 0.4);
  EXPECT_EQ(all.labels->accuracy_high, 0.25);
  EXPECT_EQ(all.truth->affine_r2, affine_r2(e.low, e.truth));
  EXPECT_EQ(all.truth->procrustes, procrustes(e.truth, e.low));
  const Quality bare = quality(e.high, e.low, {}, e.options);
  EXPECT_FALSE(bare.labels || bare.truth);
}

TEST(Quality, OfThePointsThemselvesIsPerfect) {
  const Array2<double> x = normal_matrix(60, 3, 1);
  const Quality same = quality(x, x, {x, {}});
  EXPECT_EQ(same.trustworthiness.value, 1);
  EXPECT_EQ(same.continuity.value, 1);
  EXPECT_EQ(same.neighbor_preservation.value, 1);
  EXPECT_NEAR(same.distance_correlation.pearson.value, 1, 1e-14);
  EXPECT_NEAR(*same.truth->procrustes, 0, 1e-14);
  for (const double r2 : same.truth->affine_r2) EXPECT_NEAR(r2, 1, 1e-14);
}

TEST(Quality, IsMeasuredAmongScaledFeatures) {
  // The map is the standardized points; of the points themselves it shows little, since one feature is large.
  Array2<double> x = normal_matrix(200, 3, 1), large = x;
  for (Index i = 0; i < x.rows(); ++i) large(i, 0) *= 1000;
  const QualityOptions scaled{.scale = Scaling::Standardize}, plain{};
  const Quality all = quality(large, x, {}, scaled);
  EXPECT_GT(all.trustworthiness.value, 0.98);
  EXPECT_LT(quality(large, x, {}, plain).trustworthiness.value, all.trustworthiness.value - 0.1);
  EXPECT_EQ(trustworthiness(large, x, scaled).value, all.trustworthiness.value);
  EXPECT_EQ(continuity(large, x, scaled).value, all.continuity.value);
  EXPECT_EQ(neighbor_preservation(large, x, scaled).value, all.neighbor_preservation.value);
  EXPECT_EQ(neighborhood_quality(large, x, scaled).continuity.value, all.continuity.value);
  EXPECT_EQ(distance_correlation(large, x, scaled).pearson.value, all.distance_correlation.pearson.value);
  const std::vector<std::int64_t> labels = [&] {
    std::vector<std::int64_t> signs;
    for (Index i = 0; i < x.rows(); ++i) signs.push_back(x(i, 1) > 0 ? 1 : 0);
    return signs;
  }();
  EXPECT_GT(label_accuracy(large, labels, scaled), label_accuracy(large, labels, plain) + 0.2);
  expect_error(ErrorKind::InvalidOption, "scale=standardize is for features", [&] {
    quality(Array2<double>(4, 4), Array2<double>(4, 2), {},
            {.metric = Metric::Precomputed, .scale = Scaling::Standardize});
  });
}

TEST(Quality, DoesNotDependOnUnitsOffsetOrThreads) {
  const Example e;
  const Quality plain = quality(e.high, e.low, {e.truth, e.labels}, e.options, unroll::Run{.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const Quality again = quality(e.high, e.low, {e.truth, e.labels}, e.options, unroll::Run{.threads = threads});
    EXPECT_EQ(again.trustworthiness.per_point, plain.trustworthiness.per_point);
    EXPECT_EQ(again.distance_correlation.pearson.value, plain.distance_correlation.pearson.value);
    EXPECT_EQ(again.distance_correlation.spearman.value, plain.distance_correlation.spearman.value);
    EXPECT_EQ(again.truth->procrustes, plain.truth->procrustes);
  }
  for (const double unit : {0x1p900, 0x1p-900}) {
    Array2<double> low = e.low;
    for (Index i = 0; i < low.size(); ++i) low.data()[i] *= unit;
    EXPECT_EQ(distance_correlation(e.high, low).pearson.value, plain.distance_correlation.pearson.value);
    EXPECT_NEAR(procrustes(e.truth, low), *plain.truth->procrustes, 1e-14);
    EXPECT_NEAR(affine_r2(low, e.truth)[0], plain.truth->affine_r2[0], 1e-14);
  }
  Array2<double> far = e.low;
  for (Index i = 0; i < far.size(); ++i) far.data()[i] += 1e8;
  EXPECT_NEAR(procrustes(e.truth, far), *plain.truth->procrustes, 1e-7);  // digits of the input itself are lost
  EXPECT_NEAR(affine_r2(far, e.truth)[0], plain.truth->affine_r2[0], 1e-7);
}

TEST(LabelAccuracy, TiesGoToTheSmallestLabel) {
  // On a line; the two nearest of each point have the labels {5, 1}, {3, 1}, {3, 5}.
  Array2<double> x(3, 1);
  x(1, 0) = 1;
  x(2, 0) = 3;
  EXPECT_DOUBLE_EQ(label_accuracy(x, {3, 5, 1}, {.n_neighbors = 2}), 0);
  EXPECT_DOUBLE_EQ(label_accuracy(x, {1, 1, 3}, {.n_neighbors = 2}), 2.0 / 3);  // {1,3} -> 1, {1,3} -> 1, {1,1} -> 1
}

TEST(DistanceCorrelation, OfASampleHasAnIntervalThatHolds) {
  const Array2<double> high = normal_matrix(150, 5, 3);
  Array2<double> low(150, 2);
  for (Index i = 0; i < 150; ++i)
    for (Index j = 0; j < 2; ++j) low(i, j) = high(i, j);
  const DistanceCorrelation all = distance_correlation(high, low);
  ASSERT_TRUE(all.exact);
  EXPECT_EQ(all.pearson.low, all.pearson.value);
  // Of 400 intervals 380 hold on average, with a standard deviation of 4.4; 22 is five of them.
  int pearson = 0, spearman = 0;
  double width = 0;
  for (std::int64_t seed = 0; seed < 400; ++seed) {
    const DistanceCorrelation some = distance_correlation(high, low, {.max_pairs = 1000, .random_state = seed});
    ASSERT_FALSE(some.exact);
    ASSERT_EQ(some.pairs, 1000);
    pearson += some.pearson.low <= all.pearson.value && all.pearson.value <= some.pearson.high ? 1 : 0;
    spearman += some.spearman.low <= all.spearman.value && all.spearman.value <= some.spearman.high ? 1 : 0;
    width += (some.spearman.high - some.spearman.low) / 400;
  }
  EXPECT_NEAR(pearson, 380, 22);
  EXPECT_NEAR(spearman, 380, 22);
  EXPECT_LT(width, 0.1);
}

TEST(DistanceCorrelation, OfEqualDistancesIsUndefined) {
  const Array2<double> high = normal_matrix(20, 3, 1), collapsed(20, 2);
  for (const Index pairs : {100, 1000}) {  // a sample, and all
    for (const DistanceCorrelation& found : {distance_correlation(high, collapsed, {.max_pairs = pairs}),
                                             distance_correlation(collapsed, high, {.max_pairs = pairs})}) {
      EXPECT_TRUE(std::isnan(found.pearson.value));
      EXPECT_TRUE(std::isnan(found.spearman.value));
    }
  }
}

TEST(AffineR2, LeavesOutDependentColumns) {
  const Array2<double> x = normal_matrix(50, 1, 2);
  Array2<double> low(50, 3), truth(50, 2);
  for (Index i = 0; i < 50; ++i) {
    low(i, 0) = x(i, 0);
    low(i, 1) = 3 * x(i, 0) - 1;
    low(i, 2) = 7;
    truth(i, 0) = -x(i, 0) + 4;
    truth(i, 1) = 2 * x(i, 0);
  }
  for (const double r2 : affine_r2(low, truth)) EXPECT_NEAR(r2, 1, 1e-14);
}

TEST(AffineR2, IsUndefinedForATrueCoordinateThatDoesNotVary) {
  Array2<double> low = normal_matrix(50, 2, 2), truth(50, 3);
  for (Index i = 0; i < 50; ++i) {
    truth(i, 0) = low(i, 0);
    truth(i, 1) = 2;
    truth(i, 2) = 1e8 + 0.1;  // whose mean, and what is left without it, is rounded
  }
  const std::vector<double> r2 = affine_r2(low, truth);
  EXPECT_NEAR(r2[0], 1, 1e-14);
  EXPECT_TRUE(std::isnan(r2[1]));
  EXPECT_TRUE(std::isnan(r2[2]));
}

TEST(Procrustes, SeesThroughRotationReflectionAndScale) {
  const Array2<double> x = normal_matrix(40, 3, 4);
  Array2<double> y = product(x, rotation(3, 5));
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 3; ++j) y(i, j) = (j == 0 ? -2 : 2) * y(i, j) + 10;
  EXPECT_NEAR(procrustes(x, y), 0, 1e-13);
  expect_error(ErrorKind::InvalidData, "identical", [&] { procrustes(x, Array2<double>(40, 2)); });
}

TEST(Quality, RefusesWhatDoesNotFit) {
  const Example e;
  expect_error(ErrorKind::InvalidData, "20 points but coordinates of 19",
               [&] { quality(e.high, PointsView(e.low).slice(0, 19)); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors=10 should be less than n_samples / 2 = 10",
               [&] { trustworthiness(e.high, e.low); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors=20 must be less than the number of points, 20",
               [&] { neighbor_preservation(e.high, e.low, {.n_neighbors = 20}); });
  expect_error(ErrorKind::InvalidData, "20 points but 3 labels", [&] {
    quality(e.high, e.low, {{}, {1, 2, 3}}, e.options);
  });
  expect_error(ErrorKind::InvalidData, "true coordinates of 5", [&] {
    quality(e.high, e.low, {PointsView(e.truth).slice(0, 5), {}}, e.options);
  });
  Array2<double> bad = e.low;
  bad(3, 1) = NAN;
  expect_error(ErrorKind::InvalidData, "row 4 contains NaN in column 2", [&] { continuity(e.high, bad, e.options); });
}

TEST(Quality, ChecksAMatrixOfDistancesForEveryMeasure) {
  const Array2<double> points = normal_matrix(30, 3, 1), low = normal_matrix(30, 2, 2);
  for (const QualityMeasure measure : {QualityMeasure::Trustworthiness, QualityMeasure::Continuity,
                                       QualityMeasure::NeighborPreservation, QualityMeasure::DistanceCorrelation})
    expect_error(ErrorKind::InvalidData, "square distance matrix", [&] {
      quality(points, low, {}, {.measures = {measure}, .n_neighbors = 5, .metric = Metric::Precomputed});
    });
}

TEST(Quality, RowsWithoutADirectionAreWhereTheMetricSays) {
  Array2<double> high = normal_matrix(120, 5, 3);
  const Array2<double> low = normal_matrix(120, 2, 4);
  for (const Index i : {3, 50}) std::fill_n(high.row(i), high.cols(), 0.0);
  Array2<double> distances(120, 120);
  const NeighborGraph all = neighbors(high, {.n_neighbors = 119, .metric = Metric::Cosine}).graph;
  for (Index i = 0; i < 120; ++i)
    for (std::size_t r = 0; r < 119; ++r) distances(i, all.neighbors_of(i)[r]) = all.distances_of(i)[r];
  EXPECT_EQ(trustworthiness(high, low, {.n_neighbors = 8, .metric = Metric::Cosine}).value,
            trustworthiness(distances, low, {.n_neighbors = 8, .metric = Metric::Precomputed}).value);
}

TEST(Quality, OfMapsWithoutAShape) {
  const Array2<double> high = normal_matrix(40, 3, 5), collapsed(40, 2);
  const Quality found = quality(high, collapsed, {.coordinates = high}, {.n_neighbors = 5});
  EXPECT_FALSE(found.truth->procrustes.has_value());
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings.back().code, "no-shape");
  EXPECT_TRUE(std::isnan(found.distance_correlation.spearman.value));
}

TEST(Quality, DistancesNeedNoNeighbors) {
  const Array2<double> high = normal_matrix(8, 3, 6), low = normal_matrix(8, 2, 7);
  const QualityOptions options{.measures = {QualityMeasure::DistanceCorrelation}};
  EXPECT_EQ(quality(high, low, {}, options).distance_correlation.pearson.value,
            distance_correlation(high, low).pearson.value);
}

TEST(Quality, OfASampleHasAnIntervalThatHolds) {
  const Array2<double> high = normal_matrix(2000, 4, 8), low = normal_matrix(2000, 2, 9);
  const double truth = trustworthiness(high, low).value;
  Index held = 0;
  constexpr Index kSeeds = 100;
  for (Index seed = 0; seed < kSeeds; ++seed) {
    const NeighborhoodMeasure some = trustworthiness(high, low, {.max_points = 100, .random_state = seed});
    EXPECT_EQ(some.sample, 100);
    EXPECT_TRUE(some.per_point.empty());
    held += some.low <= truth && truth <= some.high ? 1 : 0;
  }
  EXPECT_GE(held, 88);  // 95 expected; three standard deviations below
}

/// Of how many samples the intervals hold: trustworthiness, continuity and Spearman's correlation.
TEST(QualitySlow, OfASampleOfManyPointsHasAnIntervalThatHolds) {
  constexpr Index kAll = 20'000;
  const Array2<double> high = normal_matrix(kAll, 4, 18);
  Array2<double> low = normal_matrix(kAll, 2, 19);
  for (Index i = 0; i < kAll; ++i)
    for (Index c = 0; c < 2; ++c) low(i, c) = high(i, c) + 0.2 * low(i, c);
  const NeighborhoodQuality all = neighborhood_quality(high, low);
  ASSERT_EQ(all.trustworthiness.sample, kAll);
  // Of 50 times as many pairs as a sample has: all take too much memory.
  const double spearman = distance_correlation(high, low, {.max_pairs = 5'000'000}).spearman.value;
  std::array<int, 3> held{};
  for (std::int64_t seed = 0; seed < 50; ++seed) {
    const QualityOptions options{.max_points = 1000, .max_pairs = 100'000, .random_state = seed};
    const NeighborhoodQuality some = neighborhood_quality(high, low, options);
    const Correlation correlation = distance_correlation(high, low, options).spearman;
    const auto holds = [](const auto& measure, double truth) { return measure.low <= truth && truth <= measure.high; };
    held[0] += holds(some.trustworthiness, all.trustworthiness.value) ? 1 : 0;
    held[1] += holds(some.continuity, all.continuity.value) ? 1 : 0;
    held[2] += holds(correlation, spearman) ? 1 : 0;
  }
  for (const int count : held) EXPECT_GE(count, 45);  // of 47.5 expected
}

/// The variance of the mean of m among n points without replacement is s^2 / m (1 - m / n) (Cochran 1977): of nearly
/// all points it is nearly known.
TEST(Quality, OfNearlyAllPointsHasASmallInterval) {
  constexpr Index kAll = 400;
  const Array2<double> high = normal_matrix(kAll, 4, 8), low = normal_matrix(kAll, 2, 9);
  const NeighborhoodMeasure all = trustworthiness(high, low);
  double squares = 0;
  for (const double each : all.per_point) squares += (each - all.value) * (each - all.value) / (kAll - 1);
  for (const Index sample : {kAll / 2, kAll - 1}) {
    const auto m = static_cast<double>(sample);
    const NeighborhoodMeasure some = trustworthiness(high, low, {.max_points = sample});
    EXPECT_NEAR((some.high - some.low) / 2 / (1.96 * std::sqrt(squares / m * (1 - m / kAll))), 1, 0.1) << sample;
  }
}

}  // namespace
}  // namespace unroll
