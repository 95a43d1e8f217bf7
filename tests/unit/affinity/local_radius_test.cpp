#include "affinity/local_radius.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/fuzzy_set.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

TEST(LocalRadius, IsTheWeightedMeanOfSquares) {
  // Point 0 says that 1 and 2 are its neighbours, at distances 1 and 0.5; nobody knows how far 3 is.
  const NeighborGraph nearest{.offsets = {0, 2, 2, 2, 2, 2}, .neighbors = {2, 1}, .distances = {0.5, 1}};
  const SparseMatrix graph{.rows = 5,
                           .cols = 5,
                           .offsets = {0, 3, 4, 5, 6, 6},
                           .columns = {1, 2, 3, 0, 0, 0},
                           .values = {0.5, 1, 0.25, 0.5, 1, 0.25}};
  const std::vector<double> found = log_radii(graph, nearest, {});
  EXPECT_NEAR(found[0], std::log((0.5 * 1 + 1 * 0.25) / 1.5), 1e-7);
  EXPECT_NEAR(found[1], std::log(1), 1e-7);
  EXPECT_NEAR(found[2], std::log(0.25), 1e-7);
  EXPECT_EQ(found[3], kNoRadius);
  EXPECT_EQ(found[4], kNoRadius);
}

TEST(LocalRadius, AUnitChangesNothing) {
  NeighborGraph nearest = neighbors(normal_matrix(100, 3, 1), {.n_neighbors = 8}).graph;
  const SparseMatrix graph = fuzzy_set(nearest, {}, {});
  const std::vector<double> expected = log_radii(graph, nearest, {.threads = 1});
  EXPECT_EQ(log_radii(graph, nearest, {.threads = 8}), expected);
  for (const double factor : {0x1p-1000, 0x1p900}) {
    NeighborGraph scaled = nearest;
    for (double& d : scaled.distances) d *= factor;
    EXPECT_EQ(log_radii(graph, scaled, {}), expected) << factor;
  }
}

TEST(LocalRadius, Correlation) {
  EXPECT_NEAR(radius_correlation({1, 2, kNoRadius, 4}, {3, 5, 7, 9}), 1, 1e-12);
  EXPECT_NEAR(radius_correlation({1, 2, 3}, {1, 0, -1}), -1, 1e-12);
  EXPECT_EQ(radius_correlation({1, 1, 1}, {1, 0, -1}), 0);
  EXPECT_EQ(radius_correlation({}, {}), 0);
}

}  // namespace
}  // namespace unroll
