#include <gtest/gtest.h>

#include "support/naive_neighbors.h"
#include "support/point_clouds.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

Neighbors approximate(PointsView points, Index k, std::int64_t seed = 0, Metric metric = Metric::Euclidean,
                      double recall = 0.99) {
  return neighbors(points, {.n_neighbors = k,
                            .metric = metric,
                            .algorithm = SearchAlgorithm::Approximate,
                            .recall = recall,
                            .random_state = seed});
}

/// The share of neighbours that are as near as the last true one, over all points.
double true_recall(const NeighborGraph& graph, PointsView points, const NeighborOptions& options) {
  Index right = 0, all = 0;
  for (Index i = 0; i < graph.size(); ++i) {
    std::vector<naive::Real> truth;
    for (Index j = 0; j < points.rows(); ++j)
      if (j != i) truth.push_back(naive::distance(points, i, points, j, options));
    const auto k = static_cast<std::size_t>(*options.n_neighbors);
    std::nth_element(truth.begin(), truth.begin() + static_cast<std::ptrdiff_t>(k) - 1, truth.end());
    const naive::Real farthest = truth[k - 1] + naive::rounding(truth[k - 1], options.metric);
    all += *options.n_neighbors;
    for (const Index j : graph.neighbors_of(i))
      right += naive::distance(points, i, points, j, options) <= farthest ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

/// What holds for every approximate search: a whole row per point of real neighbours with their real distances, in
/// order, and a report that says how good it is, by all points where these are no more than the sample.
void expect_honest(PointsView points, Index k, Metric metric = Metric::Euclidean, double wanted = 0.99) {
  SCOPED_TRACE(testing::Message() << points.rows() << " x " << points.cols() << ", k = " << k << ' ' << name_of(metric));
  const Neighbors found = approximate(points, k, 3, metric, wanted);
  const NeighborGraph& graph = found.graph;
  EXPECT_EQ(found.report.algorithm, SearchAlgorithm::Approximate);
  EXPECT_FALSE(found.report.exact);
  ASSERT_EQ(graph.size(), points.rows());
  const NeighborOptions options{.n_neighbors = k, .metric = metric};
  for (Index i = 0; i < graph.size(); ++i) {
    ASSERT_EQ(graph.degree(i), k);
    for (std::size_t r = 0; r < static_cast<std::size_t>(k); ++r) {
      const Index j = graph.neighbors_of(i)[r];
      ASSERT_TRUE(j >= 0 && j < graph.size() && j != i) << "row " << i << " rank " << r << ": " << j;
      const naive::Real truth = naive::distance(points, i, points, j, options);
      ASSERT_LE(std::abs(static_cast<naive::Real>(graph.distances_of(i)[r]) - truth), naive::rounding(truth, metric))
          << "row " << i << " rank " << r << ", point " << j;
      if (r == 0) continue;
      ASSERT_LT(std::pair(graph.distances_of(i)[r - 1], graph.neighbors_of(i)[r - 1]),
                std::pair(graph.distances_of(i)[r], j));
    }
  }
  EXPECT_EQ(found.report.recall_sample, std::min<Index>(points.rows(), 1000));
  const double recall = true_recall(graph, points, options);
  const double tolerance = points.rows() <= 1000 ? 1e-12 : 0.01;
  EXPECT_NEAR(found.report.recall, recall, tolerance);
  if (found.report.recall < wanted) {
    ASSERT_EQ(found.report.warnings.size(), 1U);
    EXPECT_EQ(found.report.warnings[0].code, "recall-below-target");
  } else {
    EXPECT_TRUE(found.report.warnings.empty());
  }
}

void expect_all(PointsView points, Index k, Metric metric = Metric::Euclidean) {
  expect_honest(points, k, metric);
  EXPECT_GE(approximate(points, k, 3, metric).report.recall, 0.99) << points.rows() << " x " << points.cols() << ", k = " << k;
}

TEST(ApproximateSearch, ReportsWhatItFound) {
  for (const Index d : {2, 20, 64, 65, 100}) {
    expect_honest(normal_matrix(900, d, 1), 10);
    expect_honest(as_float(anisotropic_points(900, d, 2)), 10);
  }
  expect_honest(anisotropic_points(1800, 30, 3), 10);
  for (const Metric metric : {Metric::Cosine, Metric::Correlation}) expect_honest(normal_matrix(700, 20, 4), 10, metric);
}

TEST(ApproximateSearch, ReachesItsTargetOnDataOfFewDimensions) {
  expect_all(anisotropic_points(1500, 40, 5), 10);
  expect_all(normal_matrix(900, 3, 6), 15);
  expect_all(normal_matrix(900, 5, 7), 10, Metric::Cosine);
}

TEST(ApproximateSearch, IsTheSameForASeed) {
  const Array2<double> x = anisotropic_points(1200, 30, 8);
  const NeighborGraph once = approximate(x, 6, 11).graph;
  EXPECT_TRUE(naive::same_bytes(once, approximate(x, 6, 11).graph));
}

TEST(ApproximateSearch, HardlyMorePointsThanNeighbors) {
  for (const Index n : {2, 3, 10, 17, 192, 193, 250})
    for (const Index k : {n - 1, n - 2, n / 2 + 1})
      if (k >= 1 && k < n) expect_all(normal_matrix(n, 5, 9), k);
  expect_all(normal_matrix(500, 10, 10), 499);
  expect_all(normal_matrix(500, 80, 10), 300);
  expect_all(normal_matrix(450, 2, 11), 449);
}

TEST(ApproximateSearch, ReachesEveryPointFromEveryOther) {
  // Two groups that no neighbour of a neighbour connects.
  expect_all(two_clusters(250, 250, 10, 1e-3, 1e3, 12), 300);
  expect_all(two_clusters(300, 12, 3, 1e-3, 1e3, 12), 20);
}

TEST(ApproximateSearch, Duplicates) {
  for (const Index copies : {2, 5, 40, 400})
    for (const Index d : {2, 30, 80}) expect_honest(with_duplicates(800, d, copies, 13), 10);
  expect_honest(Array2<double>(600, 4), 10);
  expect_honest(shifted_by(Array2<double>(600, 70), 0.1), 10);
}

TEST(ApproximateSearch, Clusters) {
  for (const Index d : {3, 50, 100})
    for (const double spread : {1e-9, 1e-3}) expect_honest(two_clusters(420, 230, d, spread, 1e3, 14), 8);
}

TEST(ApproximateSearch, HardData) {
  const Array2<double> x = normal_matrix(600, 20, 15);
  expect_honest(with_outlier(x, 1e12), 6);
  expect_honest(with_outlier(x, 1e100), 6);
  expect_honest(scaled_by(x, 1e-310), 6);
  expect_honest(scaled_by(x, 1e300), 6);
  expect_honest(shifted_by(x, 1e8), 6);
  expect_honest(lattice(600, 3, 5, 16), 6);
  expect_honest(mixed_units(600, 20, 150, 17), 6);
  expect_honest(on_a_line(600, 30, 18), 6);
}

TEST(ApproximateSearch, LowTargetsCostNoHonesty) {
  for (const double recall : {0.5, 0.9, 1.0}) expect_honest(normal_matrix(1000, 100, 19), 5, Metric::Euclidean, recall);
}

}  // namespace
}  // namespace unroll
