// Clusters by directions: corners in any rotation are found, labels are numbered, rules hold their definition.
#include "graph/cluster_rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/nearest_orthogonal.h"
#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Rows near the axes of a rotated basis, dealt out in turn; `signs`: every second row points the other way.
Array2<double> rotated_corners(Index n, Index d, bool signs, std::uint64_t seed) {
  const Array2<double> basis = nearest_orthogonal(normal_matrix(d, d, seed)).matrix;
  Array2<double> rows = normal_matrix(n, d, seed + 1);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < d; ++k) {
      const double side = signs && (i / d) % 2 == 1 ? -1 : 1;
      rows(i, k) = side * (1 + 0.5 * static_cast<double>(i % 3)) * basis(k, i % d) + 0.08 * rows(i, k);
    }
  return rows;
}

TEST(NearestOrthogonal, IsThePolarFactor) {
  const Array2<double> a = normal_matrix(7, 7, 3);
  const NearestOrthogonal found = nearest_orthogonal(a);
  const Array2<double> identity = product(transposed(found.matrix), found.matrix);
  // A^T Q is symmetric, and its trace is the sum of the singular values: this is what makes Q the nearest.
  const Array2<double> symmetric = product(transposed(a), found.matrix);
  double trace = 0;
  for (Index i = 0; i < 7; ++i) {
    trace += symmetric(i, i);
    for (Index j = 0; j < 7; ++j) {
      EXPECT_NEAR(identity(i, j), i == j ? 1 : 0, 1e-14);
      EXPECT_NEAR(symmetric(i, j), symmetric(j, i), 1e-13);
    }
  }
  EXPECT_NEAR(trace, found.singular_sum, 1e-12);
}

TEST(NearestOrthogonal, IsOrthogonalForAnyRank) {
  for (const Index rank : {0, 1, 3, 5}) {
    const Array2<double> left = normal_matrix(5, 5, 1), right = normal_matrix(5, 5, 2);
    Array2<double> a(5, 5);
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 5; ++j) a(i, j) += left(i, r) * right(r, j);
    const Array2<double> found = nearest_orthogonal(a).matrix;
    const Array2<double> identity = product(transposed(found), found);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) EXPECT_NEAR(identity(i, j), i == j ? 1 : 0, 1e-13) << rank;
  }
}

TEST(ClusterRotation, FindsCornersOfAnyBasis) {
  for (const std::uint64_t seed : {1U, 2U, 3U})
    for (const LabelAssignment rule : {LabelAssignment::Discretize, LabelAssignment::ClusterQr}) {
      const Array2<double> rows = rotated_corners(200, 5, rule == LabelAssignment::ClusterQr, seed);
      const ClusterAssignment found = rotate_to_clusters(rows, rule, {});
      for (Index i = 0; i < 200; ++i) ASSERT_EQ(found.labels[static_cast<std::size_t>(i)], i % 5) << seed;
      EXPECT_EQ(found.labels, nearest_directions(rows, found.directions, {}));
      EXPECT_TRUE(found.warnings.empty());
    }
}

TEST(ClusterRotation, ColumnsOfAnyLengthAreTheSameForDiscretize) {
  Array2<double> rows = rotated_corners(120, 4, false, 7);
  const std::vector<Index> expected = rotate_to_clusters(rows, LabelAssignment::Discretize, {}).labels;
  for (Index i = 0; i < 120; ++i) rows(i, 1) *= 1024;
  EXPECT_EQ(rotate_to_clusters(rows, LabelAssignment::Discretize, {}).labels, expected);
}

TEST(ClusterRotation, CentersAreMeans) {
  const Array2<double> rows = rotated_corners(60, 3, false, 4);
  const ClusterAssignment found = rotate_to_clusters(rows, LabelAssignment::ClusterQr, {});
  double sum = 0;
  for (Index i = 0; i < 60; i += 3) sum += rows(i, 2) / 20;
  EXPECT_NEAR(found.centers(0, 2), sum, 1e-13);
  EXPECT_GT(found.inertia, 0);
}

TEST(ClusterRotation, SaysWhereClustersAreEmpty) {
  Array2<double> rows(10, 2);
  for (Index i = 0; i < 10; ++i) rows(i, 0) = 1;
  const ClusterAssignment found = rotate_to_clusters(rows, LabelAssignment::ClusterQr, {});
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings.front().code, "empty-clusters");
}

TEST(ClusterRotation, NeedsAVectorPerCluster) {
  expect_error(ErrorKind::InvalidOption, "assign_labels=discretize finds a cluster per eigenvector",
               [] { check_assignment(LabelAssignment::Discretize, 3, 4); });
  check_assignment(LabelAssignment::KMeans, 3, 4);
}

}  // namespace
}  // namespace unroll
