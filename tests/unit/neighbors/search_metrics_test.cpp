#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "support/expect_error.h"
#include "support/naive_neighbors.h"
#include "support/not_finite.h"
#include "support/point_clouds.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

constexpr double kPi = std::numbers::pi;

bool has_tree(Metric metric, Index features) {
  if (metric == Metric::Hamming || metric == Metric::Jaccard) return false;
  const bool is_norm = metric == Metric::Manhattan || metric == Metric::Chebyshev || metric == Metric::Minkowski;
  return !is_norm || features <= 16;
}

/// Every exact algorithm gives the same bytes, and they are right; where there is no tree, that is said.
NeighborGraph expect_exact_by_metric(PointsView points, NeighborOptions options) {
  SCOPED_TRACE(testing::Message() << name_of(options.metric) << " p=" << options.p << ", " << points.rows() << " x "
                                  << points.cols() << ", k = " << options.n_neighbors.value_or(-1)
                                  << ", radius = " << options.radius.value_or(-1));
  options.algorithm = SearchAlgorithm::Brute;
  NeighborGraph brute = neighbors(points, options).graph;
  options.algorithm = SearchAlgorithm::KdTree;
  if (has_tree(options.metric, points.cols())) {
    const NeighborGraph tree = neighbors(points, options).graph;
    EXPECT_TRUE(naive::same_bytes(brute, tree)) << "brute and tree: " << naive::first_difference(brute, tree);
  } else {
    expect_error(ErrorKind::Unsupported, "use algorithm=brute", [&] { neighbors(points, options); });
  }
  options.algorithm = SearchAlgorithm::Auto;
  EXPECT_TRUE(naive::same_bytes(brute, neighbors(points, options).graph));
  naive::expect_graph(brute, points, options);
  return brute;
}

void expect_exact_by_metric_in_both_types(const Array2<double>& x, const NeighborOptions& options) {
  expect_exact_by_metric(x, options);
  SCOPED_TRACE("float");
  expect_exact_by_metric(as_float(x), options);
}

/// Small numbers, many of them zero: for the metrics that count features.
Array2<double> counts(Index rows, Index cols, std::uint64_t seed) {
  Array2<double> x = lattice(rows, cols, 5, seed);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::max(0.0, x.data()[i] - 2);
  return x;
}

TEST(Metrics, Norms) {
  for (const Index d : {1, 2, 7, 8, 16, 17, 40}) {
    const Array2<double> x = normal_matrix(230, d, 1);
    for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev}) {
      expect_exact_by_metric_in_both_types(x, {.n_neighbors = 6, .metric = metric});
      expect_exact_by_metric(x, {.radius = 0.4 * static_cast<double>(d), .metric = metric});
    }
  }
}

// 3^3 + 4^3 + 5^3 = 6^3: equal distances are ties, which the lower index wins.
TEST(Metrics, EqualDistancesOfMinkowskiAreTies) {
  for (const double unit : {1.0, 3.0, 0x1p-600, 0x1p600})
    for (const bool turned : {false, true}) {
      Array2<double> x(3, 3);
      for (Index j = 0; j < 3; ++j) x(turned ? 2 : 1, j) = unit * static_cast<double>(3 + j);
      x(turned ? 1 : 2, 0) = 6 * unit;
      const NeighborGraph found = neighbors(x, {.n_neighbors = 2, .metric = Metric::Minkowski, .p = 3}).graph;
      EXPECT_EQ(found.neighbors_of(0)[0], 1) << unit;
      EXPECT_EQ(found.distances_of(0)[0], found.distances_of(0)[1]) << unit;
    }
}

TEST(Metrics, PowersOfMinkowski) {
  for (const Index d : {1, 2, 7, 8, 16, 17})
    for (const double p : {1.0, 1.5, 2.0, 3.0, 7.0, 400.0}) {
      const Array2<double> x = normal_matrix(45, d, 1);
      expect_exact_by_metric_in_both_types(x, {.n_neighbors = 6, .metric = Metric::Minkowski, .p = p});
      expect_exact_by_metric(x, {.radius = 0.7, .metric = Metric::Minkowski, .p = p});
    }
  const Array2<double> x = normal_matrix(230, 3, 1);
  for (const double p : {1.5, 7.0}) expect_exact_by_metric(x, {.n_neighbors = 6, .metric = Metric::Minkowski, .p = p});
}

TEST(Metrics, NormsOfExtremeUnits) {
  for (const Index d : {2, 9, 16}) {
    const Array2<double> x = normal_matrix(210, d, 2);
    for (const double unit : {1e300, 1e-300, 1e-318})
      for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski})
        expect_exact_by_metric(scaled_by(x, unit), {.n_neighbors = 4, .metric = metric, .p = 3});
    expect_exact_by_metric(two_clusters(120, 90, d, 1e-9, 1e3, 3), {.n_neighbors = 4, .metric = Metric::Manhattan});
    expect_exact_by_metric(two_clusters(120, 90, d, 1e-9, 1e3, 3),
                           {.n_neighbors = 4, .metric = Metric::Minkowski, .p = 3});
  }
}

TEST(Metrics, MinkowskiOfOneAndTwoIsManhattanAndEuclidean) {
  const Array2<double> x = normal_matrix(120, 9, 3);
  const auto nearest = [&](Metric metric, double p) {
    return neighbors(x, {.n_neighbors = 8, .metric = metric, .p = p}).graph;
  };
  EXPECT_EQ(nearest(Metric::Minkowski, 1).neighbors, nearest(Metric::Manhattan, 2).neighbors);
  EXPECT_EQ(nearest(Metric::Minkowski, 2).neighbors, nearest(Metric::Euclidean, 2).neighbors);
}

TEST(Metrics, Directions) {
  for (const Index d : {2, 3, 16, 17, 64, 65})
    for (const Metric metric : {Metric::Cosine, Metric::Correlation}) {
      const Array2<double> x = normal_matrix(230, d, 4);
      if (metric == Metric::Correlation && d == 2) continue;  // two directions only: all tie
      expect_exact_by_metric_in_both_types(x, {.n_neighbors = 6, .metric = metric});
      expect_exact_by_metric(x, {.radius = 0.3, .metric = metric});
      for (const double unit : {1e300, 1e-300})
        expect_exact_by_metric(scaled_by(x, unit), {.n_neighbors = 6, .metric = metric});
    }
}

TEST(Metrics, DirectionsThatHardlyDiffer) {
  for (const Index d : {3, 20, 80})
    for (const Metric metric : {Metric::Cosine, Metric::Correlation})
      for (const double spread : {1e-3, 1e-6}) {
        // Around one direction, of lengths from 1e-5 to 1e5.
        const Array2<double> direction = normal_matrix(1, d, 5), around = normal_matrix(250, d, 6);
        Array2<double> x(250, d);
        for (Index i = 0; i < x.rows(); ++i)
          for (Index j = 0; j < d; ++j)
            x(i, j) = (direction(0, j) + spread * around(i, j)) * std::pow(10.0, static_cast<double>(i % 11) - 5);
        expect_exact_by_metric(x, {.n_neighbors = 5, .metric = metric});
      }
}

TEST(Metrics, CorrelationIgnoresLevelAndUnitOfARow) {
  Array2<double> x = normal_matrix(60, 12, 7);
  const NeighborGraph plain = neighbors(x, {.n_neighbors = 5, .metric = Metric::Correlation}).graph;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j)
      x(i, j) = std::ldexp(x(i, j), static_cast<int>(i % 7)) + static_cast<double>(i) * 3;
  const NeighborGraph other = neighbors(x, {.n_neighbors = 5, .metric = Metric::Correlation}).graph;
  EXPECT_EQ(plain.neighbors, other.neighbors);
  for (std::size_t e = 0; e < plain.distances.size(); ++e) EXPECT_NEAR(plain.distances[e], other.distances[e], 1e-12);
}

TEST(Metrics, RowsWithoutADirection) {
  for (const Index d : {3, 20, 80})
    for (const Metric metric : {Metric::Cosine, Metric::Correlation}) {
      Array2<double> x = normal_matrix(230, d, 8);
      for (const Index i : {0, 50, 51, 229})
        std::fill_n(x.row(i), d, metric == Metric::Cosine ? 0.0 : 0.1 * static_cast<double>(i));
      for (const NeighborOptions& options :
           {NeighborOptions{.n_neighbors = 2, .metric = metric}, NeighborOptions{.n_neighbors = 10, .metric = metric},
            NeighborOptions{.radius = 1, .metric = metric}, NeighborOptions{.n_neighbors = 229, .metric = metric}}) {
        const NeighborGraph graph = expect_exact_by_metric(x, options);
        const auto others = graph.neighbors_of(50);
        ASSERT_GE(others.size(), 2U);
        EXPECT_EQ(others[0], 0);
        EXPECT_EQ(others[1], 51);
        for (std::size_t r = 0; r < others.size(); ++r) EXPECT_EQ(graph.distances_of(50)[r], r < 3 ? 0 : 1);
      }
    }
}

TEST(Metrics, CountsOfFeatures) {
  for (const Index d : {1, 2, 8, 33, 100})
    for (const Metric metric : {Metric::Hamming, Metric::Jaccard}) {
      const Array2<double> x = counts(150, d, 9);
      expect_exact_by_metric_in_both_types(x, {.n_neighbors = 7, .metric = metric});
      expect_exact_by_metric_in_both_types(x, {.radius = 0.5, .metric = metric});
      expect_exact_by_metric_in_both_types(normal_matrix(40, d, 9), {.n_neighbors = 7, .metric = metric});
    }
}

TEST(Metrics, EmptySetsAreAlike) {
  Array2<double> x(4, 3);
  x(2, 1) = 7;
  x(3, 1) = -0.0;
  const NeighborGraph graph = neighbors(x, {.n_neighbors = 3, .metric = Metric::Jaccard}).graph;
  EXPECT_EQ(graph.neighbors, (std::vector<Index>{1, 3, 2, 0, 3, 2, 0, 1, 3, 0, 1, 2}));
  EXPECT_EQ(graph.distances, (std::vector<double>{0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1}));
}

Array2<double> places(Index rows, std::uint64_t seed) {
  const Random random(seed, "test.places");
  Array2<double> x(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    x(i, 0) = std::asin(2 * random.uniform(static_cast<std::uint64_t>(i), 0) - 1);
    x(i, 1) = kPi * (2 * random.uniform(static_cast<std::uint64_t>(i), 1) - 1);
  }
  return x;
}

TEST(Metrics, GreatCircles) {
  for (const Index n : {2, 17, 400}) {
    const Array2<double> x = places(n, 10);
    expect_exact_by_metric_in_both_types(x, {.n_neighbors = std::min<Index>(9, n - 1), .metric = Metric::Haversine});
    expect_exact_by_metric(x, {.n_neighbors = n - 1, .metric = Metric::Haversine});
    for (const double radius : {0.0, 0.1, 3.0, 4.0})
      expect_exact_by_metric(x, {.radius = radius, .metric = Metric::Haversine});
  }
}

TEST(Metrics, PolesDateLineAndAntipodes) {
  Array2<double> x = places(300, 11);
  const Array2<double> small = normal_matrix(300, 2, 12);
  for (Index i = 0; i < 60; ++i) {  // around the date line, on both sides of it
    x(i, 0) = 0.2 + 1e-3 * small(i, 0);
    x(i, 1) = (i % 2 == 0 ? kPi : -kPi) + 1e-3 * small(i, 1);
  }
  for (Index i = 60; i < 120; ++i) {  // around a pole: any longitude is near
    x(i, 0) = (i % 2 == 0 ? 1 : -1) * (kPi / 2 - 1e-4 * std::abs(small(i, 0)));
  }
  for (Index i = 120; i < 180; ++i) {  // opposite to others
    x(i, 0) = -x(i - 120, 0);
    x(i, 1) = x(i - 120, 1) + (x(i - 120, 1) > 0 ? -kPi : kPi);
  }
  x(180, 0) = x(181, 0) = kPi / 2;  // the pole itself, twice
  for (const Index k : {1, 8, 299})
    expect_exact_by_metric_in_both_types(x, {.n_neighbors = k, .metric = Metric::Haversine});
  const NeighborGraph graph = neighbors(x, {.n_neighbors = 299, .metric = Metric::Haversine}).graph;
  for (Index i = 0; i < 60; ++i) EXPECT_NEAR(graph.distances_of(i).back(), kPi, 1e-2);
  EXPECT_EQ(graph.neighbors_of(180)[0], 181);
  EXPECT_NEAR(graph.distances_of(180)[0], 0, 1e-15);
}

/// Meters, millimeters and less apart.
TEST(Metrics, PlacesNearEachOther) {
  for (const double spread : {1e-6, 1e-9, 1e-12}) {
    Array2<double> x = scaled_by(normal_matrix(250, 2, 13), spread);
    for (Index i = 0; i < x.rows(); ++i) {
      x(i, 0) += 0.9;
      x(i, 1) -= 2.1;
    }
    expect_exact_by_metric(x, {.n_neighbors = 6, .metric = Metric::Haversine});
  }
}

/// Angles of many turns, or degrees by mistake: they have few digits left, but both searches must still agree.
TEST(Metrics, GreatCirclesOfManyTurns) {
  for (const double turns : {10.0, 1e4, 1e8, 1e12}) {
    Array2<double> x = scaled_by(places(250, 14), 1e-9 * turns);
    const Random random(15, "test.turns");
    for (Index i = 0; i < x.rows(); ++i)
      x(i, 1) += 2 * kPi * std::floor(std::pow(turns, random.uniform(static_cast<std::uint64_t>(i))));
    NeighborOptions options{.n_neighbors = 6, .metric = Metric::Haversine, .algorithm = SearchAlgorithm::Brute};
    const NeighborGraph brute = neighbors(x, options).graph;
    options.algorithm = SearchAlgorithm::KdTree;
    const NeighborGraph tree = neighbors(x, options).graph;
    EXPECT_TRUE(naive::same_bytes(brute, tree)) << turns << ": " << naive::first_difference(brute, tree);
  }
}

TEST(Metrics, HaversineNeedsTwoFeatures) {
  for (const Index d : {1, 3})
    expect_error(ErrorKind::InvalidData, "latitude and longitude in radians; the data have",
                 [&] { neighbors(normal_matrix(9, d, 15), {.n_neighbors = 2, .metric = Metric::Haversine}); });
}

TEST(Metrics, ThreadsDoNotChangeAByte) {
  const Array2<double> x = with_duplicates(700, 2, 3, 16);
  for (const auto& [metric, name] : enum_names(Metric{})) {
    if (metric == Metric::Precomputed) continue;
    const NeighborOptions options{.n_neighbors = 7, .metric = metric, .p = 3};
    const NeighborGraph expected = neighbors(x, options, {.threads = 1}).graph;
    for (const int threads : {2, 3, 8})
      EXPECT_TRUE(naive::same_bytes(neighbors(x, options, {.threads = threads}).graph, expected)) << name;
  }
}

TEST(Metrics, ApproximateIsForEuclideanFormsAndNumbersOfNeighbors) {
  const Array2<double> x = normal_matrix(60, 2, 17);
  for (const auto& [metric, name] : enum_names(Metric{})) {
    if (metric == Metric::Precomputed) continue;
    const NeighborOptions options{.n_neighbors = 3, .metric = metric, .algorithm = SearchAlgorithm::Approximate};
    if (metric == Metric::Euclidean || metric == Metric::Cosine || metric == Metric::Correlation) {
      EXPECT_EQ(neighbors(x, options).graph.degree(0), 3);
    } else {
      expect_error(ErrorKind::Unsupported, std::string("not ") + std::string(name), [&] { neighbors(x, options); });
    }
  }
  expect_error(ErrorKind::Unsupported, "not all within a radius",
               [&] { neighbors(x, {.radius = 1, .algorithm = SearchAlgorithm::Approximate}); });
}

/// Random cases of all kinds: sizes, metrics, duplicates, ties, radii.
TEST(Metrics, RandomCases) {
  const auto names = enum_names(Metric{});
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "case " << seed);
    const Random random(seed, "test.case");
    const auto below = [&](Index bound, std::uint64_t which) {
      return static_cast<Index>(random.below(static_cast<std::uint64_t>(bound), which));
    };
    const Metric metric = names[static_cast<std::size_t>(below(9, 0))].value;
    const Index n = 2 + below(59, 1), d = metric == Metric::Haversine ? 2 : 1 + below(20, 2);
    Array2<double> x = below(3, 3) == 0 ? lattice(n, d, 3, seed) : normal_matrix(n, d, seed);
    if (below(2, 4) == 0)
      for (Index i = 0; i < n; i += 1 + below(3, 5)) std::copy_n(x.row(below(n, 6)), d, x.row(i));
    const double p = std::array{1.0, 1.5, 2.0, 3.0, 7.0}[static_cast<std::size_t>(below(5, 7))];
    NeighborOptions options{.metric = metric, .p = p};
    if (below(4, 8) != 0) options.n_neighbors = 1 + below(n - 1, 9);
    if (below(3, 10) == 0) options.radius = random.uniform(11) * 2;
    below(2, 12) == 0 ? expect_exact_by_metric(x, options) : expect_exact_by_metric(as_float(x), options);
    if (HasFailure()) return;
  }
}

TEST(NeighborOptions, AreCheckedInWords) {
  const Array2<double> x = normal_matrix(60, 3, 18);
  const auto expect_refused = [&](const NeighborOptions& options, const std::string& words) {
    expect_error(ErrorKind::InvalidOption, words, [&] { neighbors(x, options); });
    expect_error(ErrorKind::InvalidOption, words, [&] {
      neighbors_by(
          x, [](auto, auto) { return 1.0; }, options);
    });
  };
  for (const Index k : {60, 61, 1000000})
    expect_refused({.n_neighbors = k}, "neighbors: n_neighbors=" + std::to_string(k) +
                                           " must be less than the number of points, 60; use a smaller n_neighbors");
  expect_refused({.n_neighbors = 0}, "neighbors: n_neighbors=0 must be ");
  expect_refused({.n_neighbors = -3}, "neighbors: n_neighbors=-3 must be ");
  expect_refused({.radius = -0.5}, "neighbors: radius=-0.5 must be ");
  expect_refused({.radius = kNan}, "neighbors: radius=nan must be ");
  expect_refused({.radius = kInfinity}, "neighbors: radius=inf must be ");
  expect_refused({.metric = Metric::Minkowski, .p = 0.5}, "neighbors: p=0.5 must be a number >= 1");
  expect_refused({.metric = Metric::Minkowski, .p = kNan}, "neighbors: p=nan must be a number >= 1");
  expect_refused({.recall = 1.5}, "neighbors: recall=1.5 must be ");
  expect_refused({.recall = 0.1}, "neighbors: recall=0.1 must be ");
  expect_refused({.random_state = -1}, "neighbors: random_state=-1 must be ");
}

TEST(NeighborOptions, DataAreChecked) {
  expect_error(ErrorKind::InvalidData, "1 sample(s)", [] { neighbors(Array2<double>(1, 3)); });
  expect_error(ErrorKind::InvalidData, "0 feature(s)", [] { neighbors(Array2<double>(5, 0)); });
  Array2<double> x = normal_matrix(5, 3, 19);
  x(3, 1) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::InvalidData, "row 4 contains NaN in column 2", [&] { neighbors(x); });
  x(3, 1) = -std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::InvalidData, "infinity", [&] { neighbors(x); });
}

}  // namespace
}  // namespace unroll
