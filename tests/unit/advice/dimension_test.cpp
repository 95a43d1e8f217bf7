#include "unroll/advice/dimension.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/text.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/data/generators.h"

namespace unroll {
namespace {

constexpr Index kPoints = 5000;

/// Uniform points of the unit cube, turned into `features` dimensions.
Array2<double> turned_cube(Index n, Index d, Index features, std::uint64_t seed) {
  const Random random(seed, "test.cube");
  Array2<double> x(n, features);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j)
      x(i, j) = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  return product(x, rotation(features, seed + 1));
}

/// Uniform points of the unit sphere in so many features.
Array2<double> sphere(Index n, Index features, std::uint64_t seed) {
  Array2<double> x = normal_matrix(n, features, seed);
  for (Index i = 0; i < n; ++i) {
    double square = 0;
    for (Index f = 0; f < features; ++f) square += x(i, f) * x(i, f);
    for (Index f = 0; f < features; ++f) x(i, f) /= std::sqrt(square);
  }
  return x;
}

std::string text_of(const DimensionReport& report) { return joined(report.verdict, " "); }

/// The boundary of a cube lowers estimates by 7 % at d = 5; chance by 1 % (maximum likelihood, 5000 points of 10
/// neighbours) and by 2 % (TwoNN).
TEST(Dimension, IsWithinTenPercentOfTheTruth) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U, 4U}) {
    const std::vector<std::pair<double, Array2<double>>> sets{{2, make_dataset("swiss_roll", kPoints, seed).points},
                                                              {5, turned_cube(kPoints, 5, 20, seed)},
                                                              {3, sphere(kPoints, 4, seed)},
                                                              {1, make_dataset("helix", kPoints, seed).points}};
    for (const auto& [truth, points] : sets) {
      SCOPED_TRACE(truth);
      const DimensionReport found = estimate_dimension(points);
      EXPECT_NEAR(found.nearest.maximum_likelihood, truth, 0.1 * truth);
      EXPECT_NEAR(found.nearest.two_nn, truth, 0.1 * truth);
      EXPECT_NEAR(found.correlation->dimension, truth, 0.12 * truth);
      EXPECT_EQ(found.coordinates, std::lround(truth));
      EXPECT_EQ(found.local->gap, std::lround(truth));
    }
  }
}

TEST(Dimension, TellsFlatFromCurvedAndClosed) {
  const DimensionReport cube = estimate_dimension(turned_cube(2000, 3, 10, 1));
  EXPECT_EQ(cube.global->gap, 3);
  EXPECT_EQ(cube.global->axes_for_95, 3);
  EXPECT_NE(text_of(cube).find("flat, and PCA is enough"), std::string::npos) << text_of(cube);

  const DimensionReport roll = estimate_dimension(make_dataset("swiss_roll", 2000).points);
  EXPECT_EQ(roll.elbow, 2);
  EXPECT_NE(text_of(roll).find("PCA will not flatten it"), std::string::npos) << text_of(roll);
  EXPECT_NE(text_of(roll).find("Paths need as many"), std::string::npos) << text_of(roll);

  const DimensionReport ball = estimate_dimension(sphere(2000, 3, 1));
  EXPECT_EQ(ball.coordinates, 2);
  EXPECT_EQ(ball.elbow, 3);
  EXPECT_NE(text_of(ball).find("Give a map 3 coordinates"), std::string::npos) << text_of(ball);
}

TEST(Dimension, BelievesLargeNeighborhoodsInNoise) {
  const Dataset noisy = make_dataset("swiss_roll", 5000, 0, {{"noise", 0.3}});
  const DimensionReport found = estimate_dimension(noisy.points, {.n_neighbors = 20});
  EXPECT_GT(found.nearest.two_nn, 2.5);
  EXPECT_EQ(found.coordinates, 2) << text_of(found);
  EXPECT_NE(text_of(found).find("noise fills all directions"), std::string::npos) << text_of(found);
  EXPECT_NE(text_of(found).find("rather than TwoNN"), std::string::npos) << text_of(found);
}

/// Strands of a thin tube cross each other within large neighbourhoods.
TEST(Dimension, BelievesSmallNeighborhoodsNearFolds) {
  Array2<double> strands(1200, 2);  // three parallel lines, 0.05 apart
  const Random random(1, "test.strands");
  for (Index i = 0; i < 1200; ++i) {
    strands(i, 0) = 10 * random.uniform(static_cast<std::uint64_t>(i));
    strands(i, 1) = 0.1 * static_cast<double>(i % 3);
  }
  const DimensionReport found = estimate_dimension(strands, {.n_neighbors = 6});
  EXPECT_EQ(found.coordinates, 1) << text_of(found);
  EXPECT_NE(text_of(found).find("reach over a fold"), std::string::npos) << text_of(found);
}

TEST(Dimension, OfDistances) {
  const Array2<double> x = make_dataset("s_curve", 600).points;
  Array2<double> distances(600, 600);
  for (Index i = 0; i < 600; ++i)
    for (Index j = 0; j < 600; ++j)
      distances(i, j) = std::hypot(x(i, 0) - x(j, 0), x(i, 1) - x(j, 1), x(i, 2) - x(j, 2));
  const DimensionReport by_points = estimate_dimension(x), found = estimate_dimension(DistancesView{distances});
  EXPECT_NEAR(found.nearest.maximum_likelihood, by_points.nearest.maximum_likelihood, 1e-9);
  EXPECT_NEAR(found.correlation->dimension, by_points.correlation->dimension, 1e-9);
  EXPECT_EQ(found.elbow, by_points.elbow);
  EXPECT_FALSE(found.global);
  EXPECT_FALSE(found.local);
}

TEST(Dimension, DoesNotDependOnThreads) {
  const Array2<double> x = make_dataset("torus", 3000, 5).points;
  const DimensionReport one = estimate_dimension(x, {}, {.threads = 1});
  const DimensionReport more = estimate_dimension(x, {}, {.threads = 3});
  EXPECT_EQ(one.nearest.maximum_likelihood, more.nearest.maximum_likelihood);
  EXPECT_EQ(one.correlation->dimension, more.correlation->dimension);
  EXPECT_EQ(one.global->shares, more.global->shares);
  EXPECT_EQ(one.local->shares, more.local->shares);
  EXPECT_EQ(one.residual_variance, more.residual_variance);
  EXPECT_EQ(one.verdict, more.verdict);
}

TEST(Dimension, SaysWhatIsNotThere) {
  const DimensionReport copies = estimate_dimension(Array2<double>(50, 3));
  EXPECT_EQ(copies.coordinates, 0);
  ASSERT_EQ(copies.verdict.size(), 1U);
  EXPECT_NE(copies.verdict[0].find("no estimate"), std::string::npos);
}

TEST(Dimension, RefusesWhatItCannotTake) {
  const Array2<double> x = normal_matrix(20, 3, 1);
  expect_error(ErrorKind::InvalidOption, "n_neighbors=20", [&] { estimate_dimension(x, {.n_neighbors = 20}); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors", [&] { estimate_dimension(x, {.n_neighbors = 1}); });
  expect_error(ErrorKind::Unsupported, "similarities", [&] { estimate_dimension(SimilaritiesView{x}); });
}

TEST(VarianceSpectrum, OfKnownVariances) {
  const VarianceSpectrum equal = variance_spectrum({2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(equal.participation, 4);
  EXPECT_EQ(equal.axes_for_95, 4);
  EXPECT_FALSE(equal.gap);

  const VarianceSpectrum plane = variance_spectrum({5, 4, 0.3, 0.2, 0.1});
  EXPECT_EQ(plane.gap, 2);
  EXPECT_EQ(plane.axes_for_95, 3);  // 9 of 9.6 are 93.75 %
  EXPECT_NEAR(plane.participation, 9.6 * 9.6 / (25 + 16 + 0.09 + 0.04 + 0.01), 1e-12);

  const VarianceSpectrum exact = variance_spectrum({3, 2, 1, 0, 0, -1e-17});
  EXPECT_EQ(exact.gap, 3);
  EXPECT_EQ(exact.shares.back(), 0);
  // Constant features: the ratio to zero comes after all of the variance.
  EXPECT_FALSE(variance_spectrum({100, 90, 80, 70, 0.1, 0.09, 0.08, 0}).gap == 7);
  EXPECT_TRUE(variance_spectrum({0, 0}).shares.empty());
}

}  // namespace
}  // namespace unroll
