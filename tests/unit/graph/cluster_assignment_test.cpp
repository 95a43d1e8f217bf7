// From rows to clusters: pivots by hand, the start of k-means, numbers of clusters.
#include "graph/cluster_assignment.h"

#include <gtest/gtest.h>

#include "support/matrices.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

Array2<double> rows_of(std::initializer_list<std::initializer_list<double>> lines) {
  Array2<double> a(std::ssize(lines), std::ssize(*lines.begin()));
  double* out = a.data();
  for (const auto& line : lines) out = std::copy(line.begin(), line.end(), out);
  return a;
}

TEST(PivotRows, AreThoseOfAPivotedQr) {
  // The longest; then what is longest across it: (2, 2) has 2, (0, 1.5) has 1.5.
  EXPECT_EQ(pivot_rows(rows_of({{1, 0}, {0, 1.5}, {3, 0}, {2, 2}}), 2, {}), (std::vector<Index>{2, 3}));
  // Equal rows: the first.
  EXPECT_EQ(pivot_rows(rows_of({{1, 0}, {1, 0}, {0, 1}, {0, 1}}), 2, {}), (std::vector<Index>{0, 2}));
}

TEST(PivotRows, AreTheFarthestWhereDirectionsEnd) {
  EXPECT_EQ(pivot_rows(rows_of({{4, 0}, {1, 0}, {3.5, 0}, {-2, 0}}), 3, {}), (std::vector<Index>{0, 3, 1}));
  EXPECT_EQ(pivot_rows(rows_of({{0}, {0}, {0}}), 3, {}), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(pivot_rows(rows_of({{2}, {2}, {1}}), 3, {}), (std::vector<Index>{0, 2, 1}));
}

TEST(AssignClusters, IsNoWorseThanEitherStart) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Array2<double> x = normal_matrix(400, 3, seed);
    const ClusterAssignment found = assign_clusters(x, 9, 5, 0, {});
    EXPECT_LE(found.inertia, assign_clusters(x, 9, 0, 0, {}).inertia);
    EXPECT_LE(found.inertia, kmeans(x, {.n_clusters = 9, .n_init = 5}).inertia);
    EXPECT_EQ(found.labels, nearest_centers(x, found.centers));
    EXPECT_EQ(found.labels[0], 0);
  }
}

TEST(AssignClusters, TheStartAloneFindsCorners) {
  Array2<double> x(60, 5);
  for (Index i = 0; i < 60; ++i) x(i, (7 * i) % 5) = i % 2 == 0 ? 1 : 0.9;
  const ClusterAssignment found = assign_clusters(x, 5, 0, 0, {});
  for (Index i = 0; i < 60; ++i) EXPECT_EQ(found.labels[static_cast<std::size_t>(i)], i % 5);
}

}  // namespace
}  // namespace unroll
