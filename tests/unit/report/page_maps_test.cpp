#include "report/page_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/random.h"
#include "report/interval.h"

namespace unroll {
namespace {

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

/// A bent band without symmetry.
Array2<double> band(Index n) {
  const Random random(3, "test.band");
  Array2<double> map(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double t = random.uniform(static_cast<std::uint64_t>(i), 0),
                 u = random.uniform(static_cast<std::uint64_t>(i), 1);
    map(i, 0) = 3 * t;
    map(i, 1) = t * t + 0.5 * u;
  }
  return map;
}

/// The same, mirrored if `mirror` is -1, turned, scaled and moved.
Array2<double> moved(const Array2<double>& map, double angle, double mirror, double scale) {
  Array2<double> other(map.rows(), 2);
  for (Index i = 0; i < map.rows(); ++i) {
    const double x = map(i, 0), y = mirror * map(i, 1);
    other(i, 0) = scale * (std::cos(angle) * x - std::sin(angle) * y) + 7;
    other(i, 1) = scale * (std::sin(angle) * x + std::cos(angle) * y) - 2;
  }
  return other;
}

double overlap(const Turn& turn, const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); i += 2)
    sum += y[i] * (turn[0] * x[i] + turn[1] * x[i + 1]) + y[i + 1] * (turn[2] * x[i] + turn[3] * x[i + 1]);
  return sum;
}

TEST(Window, LeavesOutAsManyOnBothSides) {
  const Random random(1, "test.window");
  for (const Index n : {1, 2, 50, 101, 1000}) {
    std::vector<double> values;
    for (Index i = 0; i < n; ++i) values.push_back(random.normal(static_cast<std::uint64_t>(i)));
    const Interval found = window_of(values, 0.01);
    std::sort(values.begin(), values.end());
    const Index aside = (n - 1) / 100;
    EXPECT_EQ(found.low, values[static_cast<std::size_t>(aside)]);
    EXPECT_EQ(found.high, values[static_cast<std::size_t>(n - 1 - aside)]);
  }
}

TEST(BestTurn, IsTheBestOfAllAngles) {
  const Random random(1, "test.turn");
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    std::vector<double> x, y;
    for (std::uint64_t i = 0; i < 12; ++i) {
      x.push_back(random.normal(i, 2 * trial));
      y.push_back(random.normal(i, 2 * trial + 1));
    }
    double best = 0;
    for (int step = 0; step < 3600; ++step) {
      const double a = step * std::numbers::pi / 1800, c = std::cos(a), s = std::sin(a);
      best = std::max({best, overlap({c, -s, s, c}, x, y), overlap({c, s, s, -c}, x, y)});
    }
    const Turn found = best_turn(x, y);
    EXPECT_NEAR(overlap(found, x, y), best, 1e-5 * best);
    EXPECT_NEAR(std::abs(found[0] * found[3] - found[1] * found[2]), 1, 1e-12);
    EXPECT_NEAR(found[0] * found[2] + found[1] * found[3], 0, 1e-12);
  }
  EXPECT_EQ(best_turn({0, 0}, {0, 0}), (Turn{1, 0, 0, 1}));
}

TEST(DrawnMap, IsTurnedToTheReference) {
  const Index n = 300;
  const Array2<double> map = band(n);
  const MapReference reference = map_reference(map, all_rows(n));
  const DrawnMap first = drawn_map(map, reference, all_rows(n));
  for (const double mirror : {1.0, -1.0})
    for (const double angle : {0.0, 0.4, 2.0, -3.0}) {
      const DrawnMap other = drawn_map(moved(map, angle, mirror, 250), reference, all_rows(n));
      // The window of a turned map is another one, which moves and scales what is turned by a little.
      double worst = 0;
      for (std::size_t i = 0; i < first.at.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(first.at[i]) - static_cast<double>(other.at[i])));
      EXPECT_LT(worst, 0.15) << angle << ' ' << mirror;
    }
}

TEST(DrawnMap, LeadsBackToTheCoordinates) {
  const Index n = 200;
  const Array2<double> map = moved(band(n), 1.1, -1, 40);
  const DrawnMap drawn = drawn_map(map, map_reference(band(n), all_rows(n)), all_rows(n));
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(2 * i);
    for (const std::size_t j : {0U, 1U}) {
      const double turned =
          drawn.turn[j] * static_cast<double>(drawn.at[at]) + drawn.turn[2 + j] * static_cast<double>(drawn.at[at + 1]);
      EXPECT_NEAR(drawn.center[j] + drawn.half * turned, map(i, static_cast<Index>(j)), 1e-4);
    }
  }
}

TEST(DrawnMap, OutliersDecideNeitherTheWindowNorTheTurn) {
  const Index n = 400;
  Array2<double> map = band(n);
  const MapReference reference = map_reference(map, all_rows(n));
  const DrawnMap plain = drawn_map(map, reference, all_rows(n));
  map(5, 0) = 1e9, map(5, 1) = -1e9;
  const DrawnMap drawn = drawn_map(map, reference, all_rows(n));
  for (Index i = 0; i < n; ++i) {
    if (i == 5) continue;
    const auto at = static_cast<std::size_t>(2 * i);
    EXPECT_NEAR(drawn.at[at], plain.at[at], 0.1);
    EXPECT_LT(std::abs(drawn.at[at]), 1.2);
  }
  EXPECT_GT(drawn.at[10], 1e7);
}

TEST(DrawnMap, OfOneColumnKeepsItsAxis) {
  Array2<double> truth(3, 1), map(3, 2);
  for (Index i = 0; i < 3; ++i) truth(i, 0) = static_cast<double>(i), map(i, 0) = -5.0 * static_cast<double>(i);
  const std::vector<float> expected{-1, 0, 0, 0, 1, 0};
  EXPECT_EQ(drawn_map(map, map_reference(truth, all_rows(3)), all_rows(3)).at, expected);
  EXPECT_EQ(drawn_map(truth, map_reference(map, all_rows(3)), all_rows(3)).at, (std::vector<float>{1, 0, 0, 0, -1, 0}));
}

TEST(DrawnMap, HugeAndTinyMapsAreDrawn) {
  for (const double size : {1.7e308, 1e-300, 0.0}) {
    Array2<double> map(2, 1);
    map(0, 0) = -size, map(1, 0) = size;
    const float edge = size > 0 ? 1 : 0;
    EXPECT_EQ(drawn_map(map, map_reference(map, all_rows(2)), all_rows(2)).at, (std::vector<float>{-edge, 0, edge, 0}));
    EXPECT_EQ(drawn_points(map, all_rows(2)), (std::vector<float>{-edge, edge}));
  }
}

TEST(DrawnMap, MostlyInOnePlaceShowsAll) {
  Array2<double> map(200, 2);
  map(7, 0) = 4;
  const DrawnMap drawn = drawn_map(map, map_reference(map, all_rows(200)), all_rows(200));
  EXPECT_EQ(drawn.at[14], 1);
  EXPECT_EQ(drawn.at[0], -1);
}

}  // namespace
}  // namespace unroll
