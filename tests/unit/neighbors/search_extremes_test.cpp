#include <gtest/gtest.h>

#include <limits>

#include "support/naive_neighbors.h"
#include "support/point_clouds.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

NeighborGraph search(PointsView points, NeighborOptions options, SearchAlgorithm algorithm) {
  options.algorithm = algorithm;
  return neighbors(points, options).graph;
}

void expect_same_of_both(PointsView points, const NeighborOptions& options) {
  const NeighborGraph brute = search(points, options, SearchAlgorithm::Brute);
  const NeighborGraph tree = search(points, options, SearchAlgorithm::KdTree);
  EXPECT_TRUE(naive::same_bytes(brute, tree)) << "brute and tree: " << naive::first_difference(brute, tree);
}

void expect_exact_at_extremes(PointsView points, const NeighborOptions& options) {
  SCOPED_TRACE(testing::Message() << points.rows() << " x " << points.cols() << (points.is_float() ? " float" : ""));
  expect_same_of_both(points, options);
  SCOPED_TRACE("brute");
  naive::expect_graph(search(points, options, SearchAlgorithm::Brute), points, options);
}

TEST(HardData, TightClustersFarApart) {
  // No cluster fills whole blocks or leaves: one block has points of both.
  for (const Index d : {3, 50, 100})
    for (const auto& [first, second] :
         std::vector<std::pair<Index, Index>>{{250, 150}, {100, 100}, {190, 395}, {10, 230}})
      for (const double spread : {1e-9, 1e-6, 1e-3}) {
        SCOPED_TRACE(spread);
        expect_exact_at_extremes(two_clusters(first, second, d, spread, 1e3, 1), {.n_neighbors = 5});
      }
}

TEST(HardData, ManyTightClusters) {
  for (const Index d : {3, 50, 100}) {
    const Array2<double> centers = scaled_by(normal_matrix(40, d, 2), 1e3);
    Array2<double> x = scaled_by(normal_matrix(600, d, 3), 1e-7);
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < d; ++j) x(i, j) += centers(i % 40, j);
    expect_exact_at_extremes(x, {.n_neighbors = 5});
    expect_exact_at_extremes(x, {.n_neighbors = 20});
    expect_exact_at_extremes(x, {.radius = 1e-6});
  }
}

TEST(HardData, OutliersFarAway) {
  for (const Index d : {2, 20, 80})
    for (const double size : {1e6, 1e12, 1e30, 1e100})
      for (const Index n : {150, 400}) {
        SCOPED_TRACE(size);
        expect_exact_at_extremes(with_outlier(normal_matrix(n, d, 4), size), {.n_neighbors = 6});
      }
}

TEST(HardData, OutliersThatMoveTheCenterOfABlock) {
  // Ten blocks of points that are close to each other in most features: the rounding of what lies between two centers
  // is as large as their distances.
  Array2<double> x = normal_matrix(1900, 6, 5);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 2; c < 6; ++c) x(i, c) *= 1e-3;
  for (const double size : {1e7, 1e8, 1e9, 1e10, 1e11}) {
    SCOPED_TRACE(size);
    const Array2<double> far = with_outlier(x, size);
    const auto find = [&](SearchAlgorithm algorithm) {
      return neighbors(far, {.n_neighbors = 6, .algorithm = algorithm}).graph;
    };
    EXPECT_TRUE(naive::same_bytes(find(SearchAlgorithm::Brute), find(SearchAlgorithm::KdTree)));
  }
}

/// What is left of the near points when the unit is that of the outliers: squares of their differences do not exist in
/// single precision.
TEST(HardData, TinyCloudInABlockOfItsOwn) {
  for (const Index d : {2, 20, 80})
    for (const double spread : {1e-15, 1e-22, 1e-40}) {
      SCOPED_TRACE(spread);
      Array2<double> x = scaled_by(normal_matrix(400, d, 5), spread);
      const Array2<double> far = normal_matrix(192, d, 6);
      for (Index i = 0; i < far.rows(); ++i)
        for (Index j = 0; j < d; ++j) x(2 * i, j) = 3 + 0.1 * far(i, j);
      expect_exact_at_extremes(x, {.n_neighbors = 5});
    }
}

/// A constant feature sets the scale, and all that differs is tiny beside it.
TEST(HardData, TinyBesideAConstantFeature) {
  for (const Index d : {2, 20, 80})
    for (const double spread : {1e-15, 1e-20, 1e-22, 1e-23, 1e-40, 1e-140}) {
      SCOPED_TRACE(spread);
      Array2<double> x = scaled_by(normal_matrix(400, d, 14), spread);
      for (Index i = 0; i < x.rows(); ++i) x(i, 0) = 1;
      expect_exact_at_extremes(x, {.n_neighbors = 5});
      expect_exact_at_extremes(as_float(x), {.n_neighbors = 5});
    }
}

TEST(HardData, OnALine) {
  for (const Index d : {1, 2, 17, 100}) {
    expect_exact_at_extremes(on_a_line(400, d, 7), {.n_neighbors = 5});
    expect_exact_at_extremes(as_float(on_a_line(400, d, 7)), {.n_neighbors = 5});
  }
}

TEST(HardData, ScalesOfAllSizes) {
  for (const Index d : {1, 3, 20, 80}) {
    const Array2<double> x = normal_matrix(250, d, 8);
    const NeighborOptions options{.n_neighbors = 5};
    const NeighborGraph plain = search(x, options, SearchAlgorithm::Brute);
    for (const int power : {-900, 900}) {
      SCOPED_TRACE(power);
      const Array2<double> scaled = scaled_by(x, std::ldexp(1, power));
      expect_exact_at_extremes(scaled, options);
      const NeighborGraph found = search(scaled, options, SearchAlgorithm::Brute);
      EXPECT_EQ(found.neighbors, plain.neighbors);
      for (std::size_t e = 0; e < plain.distances.size(); ++e)
        EXPECT_EQ(found.distances[e], std::ldexp(plain.distances[e], power));
    }
    for (const double factor : {1e300, 1e-300}) {
      SCOPED_TRACE(factor);
      expect_exact_at_extremes(scaled_by(x, factor), options);
    }
    for (const double factor : {1e30, 1e-30}) expect_exact_at_extremes(as_float(scaled_by(x, factor)), options);
  }
}

/// Distances are rounded to multiples of the least number there is: ties by index.
TEST(HardData, SubnormalNumbers) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  for (const Index d : {1, 5, 9, 80})
    for (const Index side : {3, 100000}) {
      SCOPED_TRACE(side);
      const Array2<double> x = scaled_by(lattice(230, d, side, 9), kLeast);
      expect_exact_at_extremes(x, {.n_neighbors = 5});
      for (const Metric metric : {Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski})
        if (d <= 16) expect_exact_at_extremes(x, {.n_neighbors = 5, .metric = metric, .p = 3});
    }
  for (const Index d : {2, 9, 80})
    expect_exact_at_extremes(as_float(scaled_by(lattice(230, d, 1000, 10), 1e-45)), {.n_neighbors = 5});
}

/// Scaled by the largest, the smallest numbers are subnormal or gone. Little can be asked of the distances then, but
/// that both searches, and both ends of an edge, tell the same.
TEST(HardData, UnitsThatVanishBesideOthers) {
  for (const Index d : {2, 5, 9, 70})
    for (const double outlier : {1e290, 1e308})
      for (const double unit : {1e-5, 1e-20}) {
        const Array2<double> x = with_outlier(scaled_by(normal_matrix(230, d, 11), unit), outlier);
        for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev}) {
          if (metric != Metric::Euclidean && d > 16) continue;
          SCOPED_TRACE(testing::Message() << d << ' ' << outlier << ' ' << unit << ' ' << name_of(metric));
          const NeighborOptions options{.n_neighbors = 229, .metric = metric};
          expect_same_of_both(x, {.n_neighbors = 5, .metric = metric});
          const NeighborGraph all = search(x, options, SearchAlgorithm::Brute);
          Array2<double> distance(230, 230);
          for (Index i = 0; i < 230; ++i)
            for (std::size_t r = 0; r < 229; ++r) distance(i, all.neighbors_of(i)[r]) = all.distances_of(i)[r];
          EXPECT_EQ(distance, transposed(distance));
        }
      }
}

TEST(HardData, FeaturesOfDifferentUnits) {
  for (const Index d : {3, 20, 80})
    for (const double decades : {5, 20, 100, 150}) {
      SCOPED_TRACE(decades);
      expect_exact_at_extremes(mixed_units(400, d, decades, 12), {.n_neighbors = 5});
    }
}

/// The neighbours are those of the numbers that are there, whatever has been rounded off them before.
TEST(HardData, FarFromTheOrigin) {
  for (const Index d : {1, 3, 20, 80}) {
    const Array2<double> x = normal_matrix(400, d, 13);
    expect_exact_at_extremes(shifted_by(x, 1e8), {.n_neighbors = 5});
    expect_exact_at_extremes(shifted_by(x, 1e14), {.n_neighbors = 5});
    expect_exact_at_extremes(as_float(shifted_by(x, 1e6)), {.n_neighbors = 5});
    const NeighborGraph plain = search(x, {.n_neighbors = 5}, SearchAlgorithm::Brute);
    const NeighborGraph shifted = search(shifted_by(x, 1e8), {.n_neighbors = 5}, SearchAlgorithm::Brute);
    Index same = 0;
    for (std::size_t e = 0; e < plain.neighbors.size(); ++e) {
      EXPECT_NEAR(plain.distances[e], shifted.distances[e], 1e-6);
      same += plain.neighbors[e] == shifted.neighbors[e] ? 1 : 0;
    }
    EXPECT_GE(same, plain.edges() * 99 / 100);
  }
}

/// A grid of points: every box of the tree touches its neighbours, and distances to them tie.
TEST(HardData, RegularGrid) {
  for (const Index side : {7, 20}) {
    Array2<double> x(side * side, 2);
    for (Index i = 0; i < x.rows(); ++i) {
      const Index row = i / side, column = i % side;
      x(i, 0) = 0.1 * static_cast<double>(row);
      x(i, 1) = 0.1 * static_cast<double>(column);
    }
    for (const Index k : {1, 4, 8, 48})
      for (const Metric metric : {Metric::Euclidean, Metric::Manhattan, Metric::Chebyshev})
        expect_exact_at_extremes(x, {.n_neighbors = k, .metric = metric});
  }
}

}  // namespace
}  // namespace unroll
