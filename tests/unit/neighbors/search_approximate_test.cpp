#include <gtest/gtest.h>

#include "neighbors/approximate.h"
#include "support/expect_error.h"
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

/// What holds for every approximate search: a whole row per point of real neighbours with their real distances, in
/// order, and a report that says how good it is, by all points where these are no more than the sample.
void expect_honest(PointsView points, Index k, Metric metric = Metric::Euclidean, double wanted = 0.99,
                   double* reached = nullptr) {
  SCOPED_TRACE(testing::Message() << points.rows() << " x " << points.cols() << ", k = " << k << ' '
                                  << name_of(metric));
  const Neighbors found = approximate(points, k, 3, metric, wanted);
  const NeighborGraph& graph = found.graph;
  const bool few = points.rows() <= 384 || points.rows() < 4 * k;  // all pairs are compared
  EXPECT_EQ(found.report.algorithm, found.report.exact ? SearchAlgorithm::Brute : SearchAlgorithm::Approximate);
  if (few) {
    EXPECT_TRUE(found.report.exact);
  }
  ASSERT_EQ(graph.size(), points.rows());
  const NeighborOptions options{.n_neighbors = k, .metric = metric};
  const naive::Rows rows(points, metric);
  Index surely_right = 0, right = 0;
  for (Index i = 0; i < graph.size(); ++i) {
    std::vector<naive::Real> truth = naive::distances_from(rows, i, rows, options);
    ASSERT_EQ(graph.degree(i), k);
    for (std::size_t r = 0; r < static_cast<std::size_t>(k); ++r) {
      const Index j = graph.neighbors_of(i)[r];
      ASSERT_TRUE(j >= 0 && j < graph.size() && j != i) << "row " << i << " rank " << r << ": " << j;
      const naive::Real real = truth[static_cast<std::size_t>(j)];
      ASSERT_LE(std::abs(static_cast<naive::Real>(graph.distances_of(i)[r]) - real), naive::rounding(real, metric))
          << "row " << i << " rank " << r << ", point " << j;
      if (r == 0) continue;
      ASSERT_LT(std::pair(graph.distances_of(i)[r - 1], graph.neighbors_of(i)[r - 1]),
                std::pair(graph.distances_of(i)[r], j));
    }
    // Right are those as near as the last true neighbour.
    truth.erase(truth.begin() + i);
    std::nth_element(truth.begin(), truth.begin() + k - 1, truth.end());
    const naive::Real last = truth[static_cast<std::size_t>(k) - 1];
    const naive::Real slack = naive::rounding(last, metric);
    const auto ties = std::count_if(truth.begin(), truth.end(), [&](auto d) { return std::abs(d - last) <= slack; });
    for (const double distance : graph.distances_of(i)) {
      surely_right += static_cast<naive::Real>(distance) <= last + (ties > 1 ? -slack : slack) ? 1 : 0;
      right += static_cast<naive::Real>(distance) <= last + slack ? 1 : 0;
    }
  }
  const auto all = static_cast<double>(k * graph.size());
  if (reached != nullptr) *reached = found.report.recall;
  EXPECT_EQ(found.report.recall_sample, found.report.exact ? 0 : std::min<Index>(points.rows(), 1000));
  const double tolerance = points.rows() <= 1000 ? 1e-12 : 0.01;
  EXPECT_GE(found.report.recall, static_cast<double>(surely_right) / all - tolerance);
  EXPECT_LE(found.report.recall, static_cast<double>(right) / all + tolerance);
  if (found.report.recall < wanted) {
    ASSERT_EQ(found.report.warnings.size(), 1U);
    EXPECT_EQ(found.report.warnings[0].code, "recall-below-target");
  } else {
    EXPECT_TRUE(found.report.warnings.empty());
  }
}

/// The target is reached, too.
void expect_all(PointsView points, Index k, Metric metric = Metric::Euclidean) {
  double recall = 0;
  expect_honest(points, k, metric, 0.99, &recall);
  EXPECT_GE(recall, 0.99) << points.rows() << " x " << points.cols() << ", k = " << k;
}

TEST(ApproximateSearch, ReportsWhatItFound) {
  for (const Index d : {2, 20, 65}) {
    expect_honest(normal_matrix(500, d, 1), 10);
    expect_honest(as_float(anisotropic_points(500, d, 2)), 10);
  }
  expect_honest(anisotropic_points(1300, 10, 3), 10);
  for (const Metric metric : {Metric::Cosine, Metric::Correlation})
    expect_honest(normal_matrix(400, 20, 4), 10, metric);
}

TEST(ApproximateSearch, ReachesItsTargetOnDataOfFewDimensions) {
  expect_all(anisotropic_points(900, 20, 5), 10);
  expect_all(normal_matrix(900, 3, 6), 15);
  expect_all(normal_matrix(900, 5, 7), 10, Metric::Cosine);
}

TEST(ApproximateSearch, AutoComparesAllPairsOfSoManyPoints) {
  const Array2<double> points = normal_matrix(1000, 20, 8);
  for (const Index exact : {999, 1000}) {
    const Neighbors found = neighbors(points, {.n_neighbors = 10, .exact_points = exact});
    EXPECT_EQ(found.report.algorithm, exact < 1000 ? SearchAlgorithm::Approximate : SearchAlgorithm::Brute);
  }
}

TEST(ApproximateSearch, RefusesMorePointsThanItCanNumber) {
  const double value = 0;  // nothing is read
  const MetricRows rows{.points = PointsView(&value, Index{1} << 31, 1)};
  NeighborGraphBuilder out(0, {1}, 1, {});
  expect_error(ErrorKind::Unsupported, "at most 2^31 - 1 points; use algorithm=kd_tree, or fewer points",
               [&] { approximate_search(rows, Metric::Euclidean, 1, 0.99, 0, out, {}); });
}

TEST(ApproximateSearch, IsTheSameForASeed) {
  const Array2<double> x = anisotropic_points(1200, 30, 8);
  const NeighborGraph once = approximate(x, 6, 11).graph;
  EXPECT_TRUE(naive::same_bytes(once, approximate(x, 6, 11).graph));
}

TEST(ApproximateSearch, HardlyMorePointsThanNeighbors) {
  for (const Index n : {2, 3, 10, 17, 192, 193})
    for (const Index k : {n - 1, n / 2 + 1})
      if (k >= 1 && k < n) expect_all(normal_matrix(n, 5, 9), k);
  expect_all(normal_matrix(400, 10, 10), 399);
  expect_all(normal_matrix(250, 70, 10), 200);
  expect_all(normal_matrix(220, 2, 11), 219);
}

TEST(ApproximateSearch, ReachesEveryPointFromEveryOther) {
  // Two groups that no neighbour of a neighbour connects.
  expect_all(two_clusters(150, 150, 5, 1e-3, 1e3, 12), 180);
  expect_all(two_clusters(300, 12, 3, 1e-3, 1e3, 12), 20);
}

TEST(ApproximateSearch, Duplicates) {
  for (const Index copies : {2, 5, 40, 250})
    for (const Index d : {2, 70}) expect_honest(with_duplicates(500, d, copies, 13), 10);
  expect_honest(Array2<double>(400, 4), 10);
  expect_honest(shifted_by(Array2<double>(300, 70), 0.1), 10);
}

TEST(ApproximateSearch, Clusters) {
  for (const Index d : {3, 50, 100})
    for (const double spread : {1e-9, 1e-3}) expect_honest(two_clusters(280, 120, d, spread, 1e3, 14), 8);
}

TEST(ApproximateSearch, HardData) {
  const Array2<double> x = normal_matrix(400, 10, 15);
  expect_honest(with_outlier(x, 1e12), 6);
  expect_honest(with_outlier(x, 1e100), 6);
  expect_honest(scaled_by(x, 1e-310), 6);
  expect_honest(scaled_by(x, 1e300), 6);
  expect_honest(shifted_by(x, 1e8), 6);
  expect_honest(lattice(400, 3, 5, 16), 6);
  expect_honest(mixed_units(400, 10, 150, 17), 6);
  expect_honest(on_a_line(400, 10, 18), 6);
}

TEST(ApproximateSearch, LowTargetsCostNoHonesty) {
  for (const double recall : {0.5, 0.9, 1.0}) expect_honest(normal_matrix(500, 70, 19), 5, Metric::Euclidean, recall);
}

TEST(ApproximateSearch, LooksNoFartherThanTheTargetAsks) {
  for (const Array2<double>& x : {normal_matrix(6000, 8, 21), anisotropic_points(6000, 300, 22)}) {
    double last = 0;
    for (const double target : {0.8, 0.95, 0.995}) {
      const Neighbors found = approximate(x, 10, 0, Metric::Euclidean, target);
      EXPECT_GE(found.report.recall, target);
      EXPECT_GT(found.report.recall, last);
      EXPECT_LT(found.report.recall, target + 0.6 * (1 - target));
      last = found.report.recall;
    }
  }
}

TEST(ApproximateSearch, ManyNeighborsTakeAllPairs) {
  const Array2<double> x = normal_matrix(800, 6, 20);
  const Neighbors found = approximate(x, 160);
  EXPECT_TRUE(found.report.exact);
  EXPECT_TRUE(naive::same_bytes(found.graph, neighbors(x, {.n_neighbors = 160}).graph));
}

}  // namespace
}  // namespace unroll
