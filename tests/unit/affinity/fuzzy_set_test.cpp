#include "affinity/fuzzy_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

NeighborGraph nearest(Index n, Index k, std::uint64_t seed = 1) {
  return neighbors(normal_matrix(n, 3, seed), {.n_neighbors = k}).graph;
}

double entry(const SparseMatrix& a, Index i, Index j) {
  for (Index e = a.offsets[static_cast<std::size_t>(i)]; e < a.offsets[static_cast<std::size_t>(i) + 1]; ++e)
    if (a.columns[static_cast<std::size_t>(e)] == j) return a.values[static_cast<std::size_t>(e)];
  return 0;
}

TEST(FuzzySet, MembershipsOfAPointSumToTheLogarithm) {
  const NeighborGraph graph = nearest(200, 14);
  const SparseMatrix a = memberships(graph, smooth_distances(graph, 1, {}), {});
  for (std::size_t i = 0; i < 200; ++i) {
    const double sum = std::accumulate(a.values.begin() + a.offsets[i], a.values.begin() + a.offsets[i + 1], 0.0);
    EXPECT_NEAR(sum, std::log2(15), 1e-9);
    EXPECT_TRUE(std::is_sorted(a.columns.begin() + a.offsets[i], a.columns.begin() + a.offsets[i + 1]));
  }
}

TEST(FuzzySet, TheNearestBelongForSure) {
  const NeighborGraph graph = nearest(100, 10);
  for (const double sure : {1.0, 3.0}) {
    const SparseMatrix a = memberships(graph, smooth_distances(graph, sure, {}), {});
    for (Index i = 0; i < 100; ++i)
      for (std::size_t e = 0; e < 10; ++e) {
        const double value = entry(a, i, graph.neighbors_of(i)[e]);
        if (static_cast<double>(e) < sure) {
          EXPECT_EQ(value, 1);
        } else {
          EXPECT_LT(value, 1);
        }
      }
  }
}

TEST(FuzzySet, ConnectivityBetweenWholeNumbersIsInterpolated) {
  const std::vector<double> row{1, 2, 4, 8, 16};
  EXPECT_EQ(smooth_distance(row, 1.25, 1).rho, 1.25);
  EXPECT_EQ(smooth_distance(row, 0.5, 1).rho, 0.5);
  EXPECT_EQ(smooth_distance(row, 0, 1).rho, 0);
  EXPECT_EQ(smooth_distance(row, 5, 1).rho, 16);
  EXPECT_EQ(smooth_distance(row, 9, 1).rho, 16);
}

TEST(FuzzySet, CopiesDoNotCountAsTheNearest) {
  const std::vector<double> row{0, 0, 3, 4, 5};
  EXPECT_EQ(smooth_distance(row, 1, 1).rho, 3);
}

/// If too many neighbours belong for sure, or all are copies, no sigma solves the equation: a share of the mean stands
/// in.
TEST(FuzzySet, SigmaHasAFloor) {
  const std::vector<double> copies(5, 0.0), equal(5, 2.0);
  EXPECT_EQ(smooth_distance(copies, 1, 7).sigma, 7e-3);
  EXPECT_NEAR(smooth_distance(equal, 1, 7).sigma, 1e-3 * 10 / 6, 1e-18);
  EXPECT_EQ(smooth_distance({}, 1, 7).sigma, 0);
}

TEST(FuzzySet, UnionAndIntersection) {
  SparseMatrix a{.rows = 2, .cols = 2, .offsets = {0, 1, 2}, .columns = {1, 0}, .values = {0.5, 0.25}};
  EXPECT_EQ(entry(fuzzy_union(a, 1, {}), 0, 1), 0.5 + 0.25 - 0.125);
  EXPECT_EQ(entry(fuzzy_union(a, 0, {}), 0, 1), 0.125);
  EXPECT_EQ(entry(fuzzy_union(a, 0.5, {}), 1, 0), 0.5 * 0.625 + 0.5 * 0.125);
  a.offsets = {0, 1, 1}, a.columns = {1}, a.values = {0.5};
  EXPECT_EQ(fuzzy_union(a, 1, {}).values.size(), 2U);
  EXPECT_EQ(fuzzy_union(a, 0, {}).values.size(), 0U);
}

TEST(FuzzySet, IsSymmetricToTheLastBitAtAnyNumberOfThreads) {
  const NeighborGraph graph = nearest(1500, 12);
  const SparseMatrix one = fuzzy_set(graph, {.set_op_mix_ratio = 0.7}, {.threads = 1});
  for (Index i = 0; i < 1500; i += 7)
    for (const Index j : graph.neighbors_of(i)) EXPECT_EQ(entry(one, i, j), entry(one, j, i));
  for (const int threads : {2, 3, 8}) {
    const SparseMatrix other = fuzzy_set(graph, {.set_op_mix_ratio = 0.7}, {.threads = threads});
    EXPECT_EQ(other.values, one.values);
    EXPECT_EQ(other.columns, one.columns);
  }
}

TEST(FuzzySet, DoesNotDependOnTheUnit) {
  NeighborGraph graph = nearest(100, 8);
  const SparseMatrix expected = fuzzy_set(graph, {}, {});
  for (const double factor : {0x1p-1000, 0x1p-30, 0x1p900}) {
    NeighborGraph scaled = graph;
    for (double& d : scaled.distances) d *= factor;
    EXPECT_EQ(fuzzy_set(scaled, {}, {}).values, expected.values) << factor;
  }
}

TEST(FuzzySet, PointsWithoutNeighborsHaveNoEdges) {
  const NeighborGraph graph{.offsets = {0, 1, 2, 2}, .neighbors = {1, 0}, .distances = {3, 3}};
  const SparseMatrix w = fuzzy_set(graph, {}, {});
  EXPECT_EQ(w.offsets, (std::vector<Index>{0, 1, 2, 2}));
  EXPECT_EQ(w.values, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace unroll
