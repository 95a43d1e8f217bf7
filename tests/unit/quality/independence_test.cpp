#include "quality/independence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/strips.h"

namespace unroll {
namespace {

/// cos(a pi x) cos(b pi y), the eigenfunctions of a rectangle.
struct Mode {
  int a, b;
};
Array2<double> modes(Index n, const std::vector<Mode>& list) {
  const Array2<double> place = random_strip(n, 1, 1);
  Array2<double> y(n, std::ssize(list));
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < y.cols(); ++k) {
      const Mode mode = list[static_cast<std::size_t>(k)];
      y(i, k) = std::cos(std::numbers::pi * mode.a * place(i, 0)) * std::cos(std::numbers::pi * mode.b * place(i, 1));
    }
  return y;
}

std::vector<double> told_of(const Array2<double>& y) {
  return independence(y.view(), judging_points(y.rows(), 0), y.cols(), {}).novelty;
}
std::vector<Index> chosen_of(const Array2<double>& y, Index count) {
  return independence(y.view(), judging_points(y.rows(), 0), count, {}).independent;
}

TEST(Independence, TellsFunctionsOfEarlierCoordinates) {
  for (const Index n : {400, 1000, 3000}) {
    const Array2<double> strip = modes(n, {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {0, 2}});
    const std::vector<double> told = told_of(strip);
    ASSERT_EQ(told.size(), 6U);
    EXPECT_EQ(told[0], 1);
    for (const std::size_t k : {1U, 2U, 4U, 5U}) EXPECT_LT(told[k], 0.1) << n << " " << k;
    EXPECT_GT(told[3], 0.8) << n;
    EXPECT_EQ(chosen_of(strip, 2), (std::vector<Index>{0, 3}));
    EXPECT_EQ(chosen_of(strip, 3), (std::vector<Index>{0, 3}));  // there is no third
  }
}

// Groups far apart on a line, each with a value of its own: the nearest of a point are of its group, so that a fit is
// exact; that of a point from another group is not.
TEST(Independence, FitsAreOfTheNearestPoints) {
  constexpr Index kGroups = 10, kInGroup = 200;
  Array2<double> y(kGroups * kInGroup, 2);
  for (Index i = 0; i < y.rows(); ++i) {
    const Index group = i % kGroups, place = i / kGroups;
    y(i, 0) = 10 * static_cast<double>(group) + static_cast<double>(place) / kInGroup;
    y(i, 1) = static_cast<double>(group * 7 % kGroups);
  }
  EXPECT_LT(told_of(y)[1], 1e-9);
}

// A mixture that is left out for saying little of the height still says it all: what follows is judged without it.
TEST(Independence, ARepeatedCoordinateTellsNothingOfOthers) {
  Array2<double> y = modes(2000, {{1, 0}, {2, 0}, {0, 1}});
  for (Index i = 0; i < y.rows(); ++i) y(i, 1) += 0.05 * y(i, 2);
  EXPECT_LT(told_of(y)[1], 0.1);
  EXPECT_GT(told_of(y)[2], 0.8);
}

// On a lattice that is a little tilted the first coordinate orders all points, so that the second is a saw of it.
TEST(Independence, ATiltedLatticeIsNoCurve) {
  constexpr Index kRows = 25, kColumns = 32;
  for (const double tilt : {0.001, 0.01, 0.03}) {
    Array2<double> y(kRows * kColumns, 2);
    for (Index i = 0; i < y.rows(); ++i) {
      const Index row = i / kColumns, column = i % kColumns;
      y(i, 0) = static_cast<double>(column) + tilt * static_cast<double>(row), y(i, 1) = static_cast<double>(row);
    }
    EXPECT_GT(told_of(y)[1], 0.45) << tilt;
  }
}

// However wavy: all that are looked at, of as few points as they are looked at of.
TEST(Independence, HighHarmonicsAreNoNewDirections) {
  for (const Index n : {500, 1000, 2000, 5000}) {
    const Index count = most_judged(judging_points(n, 0));
    EXPECT_EQ(count, n == 500 ? 25 : 50);
    std::vector<Mode> along, both = {{1, 0}, {0, 1}};
    for (int k = 1; k <= count; ++k) along.push_back({k, 0});
    for (int sum = 2; std::ssize(both) < count; ++sum)
      for (int a = 0; a <= sum && std::ssize(both) < count; ++a) both.push_back({a, sum - a});
    EXPECT_EQ(chosen_of(modes(n, along), 2), (std::vector<Index>{0})) << n;
    EXPECT_EQ(chosen_of(modes(n, both), 3), (std::vector<Index>{0, 1})) << n;
  }
}

// As the eigenvectors of very long strips: across, but on a twentieth of the length.
TEST(Independence, WhatIsNewToFewPointsIsLittle) {
  const Array2<double> place = random_strip(3000, 1, 1);
  Array2<double> y(3000, 2);
  for (Index i = 0; i < 3000; ++i) {
    y(i, 0) = std::cos(std::numbers::pi * place(i, 0));
    y(i, 1) = place(i, 0) < 0.05 ? std::cos(std::numbers::pi * place(i, 1)) : 0;
  }
  EXPECT_LT(told_of(y)[1], kRepeats);
}

// Noise mixes the eigenvectors of nearly equal eigenvalues.
TEST(Independence, OfAMixedPairTheOneThatIsHardlyNewIsSkipped) {
  for (const double angle : {0.2, 0.4, 1.0, 1.2}) {
    Array2<double> y = modes(3000, {{1, 0}, {3, 0}, {0, 1}});
    for (Index i = 0; i < 3000; ++i) {
      const double harmonic = y(i, 1), across = y(i, 2);
      y(i, 1) = std::cos(angle) * harmonic + std::sin(angle) * across;
      y(i, 2) = std::cos(angle) * across - std::sin(angle) * harmonic;
    }
    EXPECT_EQ(chosen_of(y, 2)[1], angle < 0.5 ? 2 : 1) << angle;
  }
}

// Whatever the rounding of its mean. It is no direction either.
TEST(Independence, AConstantIsAFunctionOfNothing) {
  for (const Index n : {31, 32, 900})
    for (const double constant : {0.0, 1.0, -0.1, 1e9}) {
      Array2<double> y = modes(n, {{1, 0}, {0, 0}, {0, 1}});
      for (Index i = 0; i < n; ++i) y(i, 1) = constant;
      EXPECT_EQ(told_of(y)[1], 1);
      EXPECT_EQ(chosen_of(y, 2), (std::vector<Index>{0, 2}));
    }
}

TEST(Independence, AnyFewPoints) {
  for (const Index n : {1, 2, 3, 11, 13})
    for (const double told : told_of(modes(n, {{1, 0}, {2, 0}, {0, 1}, {1, 1}}))) {
      EXPECT_GE(told, 0) << n;
      EXPECT_LE(told, 1) << n;
    }
  for (const double told : told_of(modes(40, {{0, 0}, {1, 0}, {1, 0}}))) EXPECT_TRUE(std::isfinite(told));
}

TEST(Independence, SameBitsAtAnyThreadCount) {
  const Array2<double> y = modes(2500, {{1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}});
  const std::vector<Index> points = judging_points(2500, 0);
  const std::vector<double> one = independence(y.view(), points, 5, {.threads = 1}).novelty;
  for (const int threads : {2, 3, 8}) EXPECT_EQ(independence(y.view(), points, 5, {.threads = threads}).novelty, one);
}

}  // namespace
}  // namespace unroll
