#include "unroll/neighbors/intrinsic_dimension.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "neighbors/graph_findings.h"
#include "support/matrices.h"
#include "unroll/data/generators.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// Neighbourhoods without edges or overlap: the volumes of the balls that reach to the neighbours of a point are the
/// arrivals of a Poisson process, so the estimators' errors are those of their theory.
NeighborGraph ideal_graph(Index n, Index k, double dimension, std::uint64_t seed) {
  const Random random(seed, "test");
  NeighborGraph graph;
  for (Index i = 0; i < n; ++i) {
    double volume = 0;
    for (Index j = 0; j < k; ++j) {
      volume -= std::log1p(-random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)));
      graph.neighbors.push_back((i + j + 1) % n);
      graph.distances.push_back(std::pow(volume, 1 / dimension));
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

TEST(IntrinsicDimension, OfIdealNeighborhoods) {
  for (const double d : {1.0, 2.0, 3.5, 12.0}) {
    const IntrinsicDimension found = intrinsic_dimension(ideal_graph(2000, 10, d, 7));
    // Five standard errors; those of the fit were found by simulation to be 1.1 times those of the likelihood.
    EXPECT_NEAR(found.maximum_likelihood / d, 1, 5 / std::sqrt(2000.0 * 9));
    EXPECT_NEAR(found.two_nn_likelihood / d, 1, 5 / std::sqrt(2000.0));
    EXPECT_NEAR(found.two_nn / d, 1, 5 * 1.1 / std::sqrt(2000.0));
    EXPECT_EQ(found.points_used, 2000);
    EXPECT_EQ(found.zero_distances, 0);
    EXPECT_TRUE(found.warnings.empty());
    double inverse = 0;
    for (const double estimate : found.per_point) inverse += 1 / estimate / 2000;
    EXPECT_NEAR(found.maximum_likelihood, 1 / inverse, 1e-12 * d);
  }
}

/// The formulas of the papers, from all distances.
TEST(IntrinsicDimension, IsThatOfTheDefinition) {
  constexpr Index kPoints = 60, kNear = 7;
  const Array2<double> x = normal_matrix(kPoints, 4, 5);
  const IntrinsicDimension found = intrinsic_dimension(neighbors(x, {.n_neighbors = kNear}).graph);
  double inverses = 0, logs_of_two = 0;
  std::vector<double> ratios;
  for (Index i = 0; i < kPoints; ++i) {
    std::vector<double> distances;
    for (Index j = 0; j < kPoints; ++j)
      if (j != i)
        distances.push_back(
            std::hypot(std::hypot(x(i, 0) - x(j, 0), x(i, 1) - x(j, 1)), x(i, 2) - x(j, 2), x(i, 3) - x(j, 3)));
    std::sort(distances.begin(), distances.end());
    double logs = 0;
    for (std::size_t j = 0; j + 1 < kNear; ++j) logs += std::log(distances[kNear - 1] / distances[j]);
    EXPECT_NEAR(found.per_point[static_cast<std::size_t>(i)], (kNear - 1) / logs, 1e-10) << i;
    inverses += logs / (kNear - 1);
    ratios.push_back(distances[1] / distances[0]);
    logs_of_two += std::log(ratios.back());
  }
  EXPECT_NEAR(found.maximum_likelihood, kPoints / inverses, 1e-10);
  EXPECT_NEAR(found.two_nn_likelihood, (kPoints - 1) / logs_of_two, 1e-10);
  std::sort(ratios.begin(), ratios.end());
  double products = 0, squares = 0;
  for (int i = 1; i <= 54; ++i) {  // 90 % of them
    const double across = std::log(ratios[static_cast<std::size_t>(i) - 1]);
    products += across * -std::log(1 - i / 60.0);
    squares += across * across;
  }
  EXPECT_NEAR(found.two_nn, products / squares, 1e-10);
}

/// Uniform points of a d-dimensional cube, turned into `features` dimensions.
Array2<double> cube(Index n, Index d, Index features, std::uint64_t seed) {
  const Random random(seed, "test");
  Array2<double> x(n, features);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < d; ++j)
      x(i, j) = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  return product(x, rotation(features, seed + 1));
}

TEST(IntrinsicDimension, OfTurnedCubes) {
  for (const Index d : {1, 2, 3, 5}) {
    const auto found = intrinsic_dimension(neighbors(cube(1000, d, 8, 3), {.n_neighbors = 8}).graph);
    // Overlapping neighborhoods: the error is at most that of 1000 / 8 disjoint ones. The cube's surface lowers the
    // estimate, by up to 15 % at d = 5, where half of the points are within a neighborhood's radius of it.
    const double error = 5 / std::sqrt(1000.0 * 7 / 8), surface = d == 5 ? 0.15 : 0.05;
    EXPECT_GT(found.maximum_likelihood / static_cast<double>(d), 1 - error - surface) << "d=" << d;
    EXPECT_LT(found.maximum_likelihood / static_cast<double>(d), 1 + error) << "d=" << d;
    EXPECT_NEAR(found.two_nn / static_cast<double>(d), 1, 5 * 1.1 / std::sqrt(1000.0 / 2) + surface) << "d=" << d;
    EXPECT_EQ(std::lround(found.maximum_likelihood + 0.1 * static_cast<double>(d)), d);
  }
}

TEST(IntrinsicDimension, DoesNotDependOnThreads) {
  const NeighborGraph graph = ideal_graph(200'000, 3, 4, 1);
  const auto expected = intrinsic_dimension(graph);
  EXPECT_NEAR(expected.two_nn, 4, 0.1);
  for (const int threads : {2, 3, 8}) {
    const auto found = intrinsic_dimension(graph, {.threads = threads});
    EXPECT_EQ(found.maximum_likelihood, expected.maximum_likelihood);
    EXPECT_EQ(found.two_nn, expected.two_nn);
    EXPECT_EQ(found.two_nn_likelihood, expected.two_nn_likelihood);
    EXPECT_EQ(found.per_point, expected.per_point);
  }
}

TEST(IntrinsicDimension, OfTheSwissRoll) {
  const auto found = intrinsic_dimension(neighbors(make_dataset("swiss_roll", 1000).points, {.n_neighbors = 8}).graph);
  EXPECT_EQ(std::lround(found.maximum_likelihood), 2);
  EXPECT_EQ(std::lround(found.two_nn), 2);
}

TEST(IntrinsicDimension, LeavesOutDuplicates) {
  NeighborGraph graph = ideal_graph(300, 6, 2, 1);
  const IntrinsicDimension before = intrinsic_dimension(graph);
  NeighborGraph doubled{{0}, {}, {}};
  for (Index i = 0; i < 300; ++i) {
    doubled.neighbors.push_back(i);
    doubled.distances.push_back(0);
    doubled.neighbors.insert(doubled.neighbors.end(), graph.neighbors_of(i).begin(), graph.neighbors_of(i).end());
    doubled.distances.insert(doubled.distances.end(), graph.distances_of(i).begin(), graph.distances_of(i).end());
    doubled.offsets.push_back(doubled.edges());
  }
  const IntrinsicDimension after = intrinsic_dimension(doubled);
  EXPECT_EQ(after.maximum_likelihood, before.maximum_likelihood);
  EXPECT_EQ(after.two_nn, before.two_nn);
  EXPECT_EQ(after.zero_distances, 300);
  ASSERT_EQ(after.warnings.size(), 1U);
  EXPECT_EQ(after.warnings[0].code, "duplicates");
}

void expect_no_dimension(const NeighborGraph& graph) {
  const IntrinsicDimension found = intrinsic_dimension(graph);
  EXPECT_EQ(found.maximum_likelihood, 0);
  EXPECT_EQ(found.two_nn, 0);
  EXPECT_EQ(found.two_nn_likelihood, 0);
  EXPECT_EQ(found.per_point, std::vector<double>(static_cast<std::size_t>(graph.size())));
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "no-dimension");
}

TEST(IntrinsicDimension, WhereThereIsNone) {
  expect_no_dimension(neighbors(Array2<double>(20, 3), {.n_neighbors = 5}).graph);  // identical points
  expect_no_dimension({{0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}, {1, 1, 1, 1, 1, 1}});      // equal distances
  expect_no_dimension({{0, 1, 2}, {1, 0}, {1, 1}});                                 // one neighbor each
  expect_no_dimension({});
}

}  // namespace
}  // namespace unroll
