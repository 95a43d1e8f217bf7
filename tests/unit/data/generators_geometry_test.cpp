#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "data/generators_curves.h"
#include "data/generators_rolls.h"
#include "support/expect_error.h"
#include "unroll/data/generators.h"

namespace unroll {
namespace {

constexpr double kPi = std::numbers::pi;

double distance(const Array2<double>& array, Index i, Index j) {
  double squares = 0;
  for (Index k = 0; k < array.cols(); ++k) squares += std::pow(array(i, k) - array(j, k), 2);
  return std::sqrt(squares);
}

/// A chord of a curve of curvature at most c is shorter than its arc d by at most c^2 d^3 / 24: pairs at true distance
/// below `reach` hold the truth to that, and to being no shorter than the chord.
void expect_isometry(const Dataset& data, double reach, double curvature) {
  Index pairs = 0;
  for (Index i = 0; i < data.points.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double arc = distance(data.truth, i, j);
      if (arc > reach) continue;
      ++pairs;
      const double shortening = arc - distance(data.points, i, j);
      ASSERT_GE(shortening, -1e-13 * reach) << i << " " << j;
      ASSERT_LE(shortening, curvature * curvature * arc * arc * arc / 24 * 1.01 + 1e-12) << i << " " << j;
    }
  }
  EXPECT_GT(pairs, 200);
}

/// Largest distance of the empirical distribution function from that of the uniform distribution on [0, 1], times the
/// root of n (Kolmogorov and Smirnov).
double uniformity(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto k = static_cast<double>(i);
    largest = std::max({largest, (k + 1) / n - values[i], values[i] - k / n});
  }
  return largest * std::sqrt(n);
}

/// P(statistic > c) -> 2 exp(-2 c^2): a uniform sample passes this once in 10^6.
constexpr double kCritical = 2.7;

std::vector<double> column(const Array2<double>& array, Index j, double scale) {
  std::vector<double> values;
  for (Index i = 0; i < array.rows(); ++i) values.push_back(array(i, j) * scale);
  return values;
}

double roll_length() { return spiral_length(4.5 * kPi) - spiral_length(1.5 * kPi); }

double helix_speed(double t) { return std::hypot(2 + std::cos(8 * t), 8); }
double trefoil_speed(double t) { return std::sqrt(17 + 8 * std::cos(3 * t) + 9 * std::pow(std::cos(3 * t), 2)); }

TEST(Spiral, AngleInvertsLength) {
  for (double length = 1e-3; length < 1e7; length *= 1.7)
    EXPECT_NEAR(spiral_length(spiral_angle(length)), length, 1e-15 * length);
  for (double t = 0.01; t < 100; t *= 1.3) EXPECT_NEAR(spiral_angle(spiral_length(t)), t, 1e-14 * t);
  EXPECT_EQ(spiral_angle(0), 0);
}

TEST(PeriodicArcLength, AgreesWithBruteForce) {
  const PeriodicArcLength arc_length(helix_speed, kPi / 4);
  for (const double end : {0.0, 0.1, kPi / 4, 1.0, 3.3, 2 * kPi}) {
    constexpr int kIntervals = 200000;  // Simpson's rule
    long double sum = 0;
    for (int i = 0; i <= 2 * kIntervals; ++i)
      sum += (i == 0 || i == 2 * kIntervals ? 1 : i % 2 == 1 ? 4 : 2) * helix_speed(end * i / (2.0 * kIntervals));
    const auto brute = static_cast<double>(sum * end / (6.0L * kIntervals));
    EXPECT_NEAR(arc_length.length(end), brute, 1e-13 * brute);
    EXPECT_NEAR(arc_length.parameter(brute), end, 1e-13 * end);
  }
}

TEST(PeriodicArcLength, ParameterInvertsLength) {
  const PeriodicArcLength arc_length([](double t) { return 1 + 0.9 * std::sin(t); }, 2 * kPi);
  for (double t = 0; t < 20; t += 0.00917) EXPECT_NEAR(arc_length.parameter(arc_length.length(t)), t, 1e-13 * (1 + t));
}

// Curvature of the spiral r = t: (t^2 + 2) / (t^2 + 1)^(3/2), largest at the inner end.
TEST(SwissRoll, TruthIsIsometric) {
  const double t = 1.5 * kPi;
  const double curvature = (t * t + 2) / std::pow(t * t + 1, 1.5);
  expect_isometry(make_dataset("swiss_roll", 1000), 1.0, curvature);
  expect_isometry(make_dataset("swiss_roll", 1000, 0, {{"density", "nonuniform"}, {"hole", true}}), 1.0, curvature);
  expect_isometry(make_dataset("roll_clusters", 1000), 1.0, curvature);
}

TEST(SCurve, TruthIsIsometric) {
  expect_isometry(make_dataset("s_curve", 1000), 0.3, 1);
  expect_isometry(make_dataset("s_curve", 1000, 1, {{"arc", 12.5}, {"height", 2.0}}), 0.3, 1);
}

TEST(Curves, TruthIsArcLength) {
  expect_isometry(make_dataset("helix", 1000), 0.2, 1.6);
  expect_isometry(make_dataset("helix", 1000, 0, {{"turns", std::int64_t{1}}}), 0.05, 2);
  expect_isometry(make_dataset("trefoil", 1000), 0.1, 1.5);
}

TEST(SwissRoll, HasTheShapeOfTheReference) {
  const Dataset data = make_dataset("swiss_roll", 1000);
  for (Index i = 0; i < 1000; ++i) {
    const double t = std::hypot(data.points(i, 0), data.points(i, 2));
    ASSERT_GE(t, 1.5 * kPi - 1e-12);
    ASSERT_LE(t, 4.5 * kPi + 1e-12);
    ASSERT_NEAR(data.points(i, 0), t * std::cos(t), 1e-12);
    ASSERT_NEAR(data.points(i, 2), t * std::sin(t), 1e-12);
    ASSERT_EQ(data.points(i, 1), data.truth(i, 1));
  }
}

TEST(Generators, SampleUniformly) {
  const double helix_length = PeriodicArcLength(helix_speed, 2 * kPi).per_period();
  const double trefoil_length = PeriodicArcLength(trefoil_speed, 2 * kPi).per_period();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Dataset roll = make_dataset("swiss_roll", 10000, seed);
    EXPECT_LT(uniformity(column(roll.truth, 0, 1 / roll_length())), kCritical) << seed;
    EXPECT_LT(uniformity(column(roll.truth, 1, 1 / 21.0)), kCritical) << seed;
    EXPECT_LT(uniformity(column(make_dataset("helix", 10000, seed).truth, 0, 1 / helix_length)), kCritical) << seed;
    EXPECT_LT(uniformity(column(make_dataset("trefoil", 10000, seed).truth, 0, 1 / trefoil_length)), kCritical) << seed;
    // The area of the torus up to v is as R v + r sin v; that of the sphere is as its height.
    std::vector<double> area = column(make_dataset("torus", 10000, seed).truth, 1, 1);
    for (double& v : area) v = (2 * v + std::sin(v)) / (4 * kPi);
    EXPECT_LT(uniformity(area), kCritical) << seed;
    std::vector<double> height = column(make_dataset("punctured_sphere", 10000, seed).points, 2, 1);
    for (double& z : height) z = (z + 1) / (1 + std::cos(kPi / 4));
    EXPECT_LT(uniformity(height), kCritical) << seed;
  }
}

// What the test above would say of a wrong sample, here a true one: uniform in the angle.
TEST(SwissRoll, NonuniformDensityIsUniformInTheAngle) {
  const Dataset roll = make_dataset("swiss_roll", 10000, 0, {{"density", "nonuniform"}});
  EXPECT_GT(uniformity(column(roll.truth, 0, 1 / roll_length())), 4 * kCritical);
  std::vector<double> angle = column(roll.truth, 0, 1);
  for (double& s : angle) s = (spiral_angle(s + spiral_length(1.5 * kPi)) - 1.5 * kPi) / (3 * kPi);
  EXPECT_LT(uniformity(angle), kCritical);
}

TEST(SwissRoll, HoleIsEmptyAndTheRestIsNot) {
  for (const char* density : {"uniform", "nonuniform"}) {
    const Dataset data = make_dataset("swiss_roll", 9000, 0, {{"hole", true}, {"density", density}});
    std::array<int, 9> counts{};
    for (Index i = 0; i < 9000; ++i) {
      const auto a = static_cast<std::size_t>(3 * data.truth(i, 0) / roll_length());
      const auto h = static_cast<std::size_t>(3 * data.truth(i, 1) / 21);
      ++counts.at(3 * a + h);
    }
    for (std::size_t cell = 0; cell < 9; ++cell) {
      if (cell == 4)
        EXPECT_EQ(counts[cell], 0);
      else if (density == std::string_view("uniform"))
        EXPECT_NEAR(counts[cell], 1125, 5 * std::sqrt(1125.0));
      else
        EXPECT_GT(counts[cell], 500);
    }
  }
}

TEST(RollClusters, StayInTheirPieces) {
  const Dataset data = make_dataset("roll_clusters", 3000, 0, {{"n_clusters", std::int64_t{4}}, {"fill", 0.5}});
  for (Index i = 0; i < 3000; ++i) {
    const double place =
        data.truth(i, 0) / roll_length() * 4 - static_cast<double>(data.labels[static_cast<std::size_t>(i)]);
    const double height = data.truth(i, 1) / 21;
    ASSERT_LE(std::hypot(place - 0.5, height - 0.5), 0.25 + 1e-12);
  }
}

TEST(Surfaces, PointsLieOnThem) {
  const Dataset sphere = make_dataset("punctured_sphere", 2000), mobius = make_dataset("mobius_strip", 2000);
  const Dataset torus = make_dataset("torus", 2000), peaks = make_dataset("twin_peaks", 2000);
  for (Index i = 0; i < 2000; ++i) {
    const auto at = [i](const Dataset& data) {
      return std::array{data.points(i, 0), data.points(i, 1), data.points(i, 2)};
    };
    const auto [sx, sy, sz] = at(sphere);
    ASSERT_NEAR(sx * sx + sy * sy + sz * sz, 1, 1e-12);
    ASSERT_LE(sz, std::cos(kPi / 4) + 1e-12);
    // Projection from the north pole (0, 0, 1) onto the plane z = -1.
    ASSERT_NEAR(sphere.truth(i, 0), 2 * sx / (1 - sz), 1e-12);
    ASSERT_NEAR(sphere.truth(i, 1), 2 * sy / (1 - sz), 1e-12);
    const auto [mx, my, mz] = at(mobius);
    ASSERT_NEAR(my * (mx * mx + my * my + mz * mz - 1) - 2 * mz * (mx * mx + my * my + mx), 0, 1e-12);
    const auto [tx, ty, tz] = at(torus);
    ASSERT_NEAR(std::pow(std::hypot(tx, ty) - 2, 2) + tz * tz, 1, 1e-12);
    ASSERT_NEAR(std::hypot(tx - 2 * std::cos(torus.truth(i, 0) / 2), ty - 2 * std::sin(torus.truth(i, 0) / 2), tz), 1,
                1e-12);
    ASSERT_NEAR(std::sin(torus.truth(i, 1)), tz, 1e-12);
    const auto [px, py, pz] = at(peaks);
    ASSERT_NEAR(pz, std::sin(kPi * px) * std::tanh(3 * py), 1e-12);
    ASSERT_EQ(peaks.truth(i, 0), px);
    ASSERT_EQ(peaks.truth(i, 1), py);
  }
}

TEST(Plane, CirclesAndMoonsAreWhatTheySay) {
  const Dataset circles = make_dataset("circles", 500, 0, {{"noise", 0.0}, {"factor", 0.3}});
  const Dataset moons = make_dataset("moons", 500, 0, {{"noise", 0.0}});
  for (Index i = 0; i < 500; ++i) {
    const bool second = i % 2 == 1;
    ASSERT_NEAR(std::hypot(circles.points(i, 0), circles.points(i, 1)), second ? 0.3 : 1, 1e-14);
    ASSERT_NEAR(std::tan(circles.truth(i, 0)) * circles.points(i, 0), circles.points(i, 1), 1e-12);
    const double x = second ? 1 - moons.points(i, 0) : moons.points(i, 0);
    const double y = second ? 0.5 - moons.points(i, 1) : moons.points(i, 1);
    ASSERT_NEAR(std::acos(std::clamp(x, -1.0, 1.0)), moons.truth(i, 0), 1e-7);
    ASSERT_NEAR(x * x + y * y, 1, 1e-14);
    ASSERT_GE(y, 0);
  }
}

TEST(LinearSubspace, KeepsTheProductsOfTheTruth) {
  const Dataset data =
      make_dataset("linear_subspace", 60, 3, {{"intrinsic", std::int64_t{20}}, {"n_features", std::int64_t{20}}});
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double points = 0, truth = 0;
      for (Index k = 0; k < 20; ++k) {
        points += data.points(i, k) * data.points(j, k);
        truth += data.truth(i, k) * data.truth(j, k);
      }
      ASSERT_NEAR(points, truth, 1e-12);
    }
  }
  EXPECT_NE(data.points, data.truth);
}

TEST(CycleGraph, TheTwoNearestAreTheNeighbours) {
  for (const Index n : {3, 4, 5, 6, 51, 200}) {
    const Dataset data = make_dataset("cycle_graph", n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (j == i) continue;
        const Index hops = std::min((i - j + n) % n, (j - i + n) % n);
        if (hops == 1)
          ASSERT_NEAR(distance(data.points, i, j), 1, 1e-12);
        else
          ASSERT_GT(distance(data.points, i, j), 1.01);
      }
      ASSERT_EQ(data.truth(i, 0), static_cast<double>(i));
    }
  }
}

TEST(Grid, IsTheMostNearlySquareLattice) {
  const auto columns_of = [](const Dataset& data) { return data.points(data.points.rows() - 1, 1) + 1; };
  EXPECT_EQ(columns_of(make_dataset("grid", 144)), 12);
  EXPECT_EQ(columns_of(make_dataset("grid", 1000)), 40);
  EXPECT_EQ(columns_of(make_dataset("grid", 1000, 0, {{"columns", std::int64_t{5}}})), 5);
  const Dataset data = make_dataset("grid", 6);
  EXPECT_EQ(data.points, data.truth);
  const std::array<double, 12> expected{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), data.points.data()));
}

TEST(Grid, NamesTheNearestNumberOfSamplesThatFits) {
  const auto expect_advice = [](std::int64_t n_samples, const OptionValues& options, const std::string& advice) {
    expect_error(ErrorKind::InvalidOption, advice, [&] { make_dataset("grid", n_samples, 0, options); });
  };
  const OptionValues seven{{"columns", std::int64_t{7}}};
  expect_advice(13, {}, "use n_samples=12 or 14,");
  expect_advice(100, seven, "use n_samples=98 or 105,");
  expect_advice(3, seven, "use n_samples=7,");
}

TEST(TranslatedFace, IsWhereTheTruthSays) {
  constexpr Index kSize = 28;
  const Dataset data = make_dataset("translated_face", 200, 0, {{"noise", 0.0}});
  for (Index i = 0; i < 200; ++i) {
    // The ink is symmetric about the vertical through the centre; the mouth pulls it down a little, always equally.
    double weight = 0, x = 0, y = 0, brightness = 0;
    for (Index pixel = 0; pixel < kSize * kSize; ++pixel) {
      const double value = data.points(i, pixel);
      ASSERT_GE(value, 0);
      ASSERT_LE(value, 1);
      const double ink = std::max(0.0, 0.5 - value);
      weight += ink;
      const Index row = pixel / kSize, column = pixel % kSize;
      x += ink * (static_cast<double>(column) + 0.5);
      y += ink * (static_cast<double>(row) + 0.5);
      brightness += value / (kSize * kSize);
    }
    ASSERT_NEAR(x / weight, data.truth(i, 0), 0.1);
    ASSERT_NEAR(y / weight, data.truth(i, 1) + 0.15, 0.2);
    ASSERT_NEAR(brightness, 0.5, 0.005);  // else its position would be a linear function of the pixels
  }
}

TEST(TranslatedFace, BackgroundHasTheStatedNoise) {
  const Dataset data = make_dataset("translated_face", 100, 0, {{"size", std::int64_t{40}}, {"noise", 0.2}});
  double m = 0, squares = 0;
  for (Index i = 0; i < 100; ++i) {
    for (Index pixel = 0; pixel < 1600; ++pixel) {
      const Index row = pixel / 40, column = pixel % 40;
      const double x = static_cast<double>(column) + 0.5, y = static_cast<double>(row) + 0.5;
      if (std::hypot(x - data.truth(i, 0), y - data.truth(i, 1)) < 6.5) continue;
      squares += std::pow(data.points(i, pixel) - 0.5, 2);
      ++m;
    }
  }
  EXPECT_NEAR(squares / m, 0.04, 5 * 0.04 * std::sqrt(2 / m));
}

}  // namespace
}  // namespace unroll
