// Fast ways to the forces between all pairs, against the exact one.
#include "layout/repulsion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "layout/grid_repulsion.h"
#include "support/force_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Points in clusters, as maps of t-SNE are: `extent` wide, dense within.
Array2<double> clustered_map(Index n, Index dims, double extent, std::uint64_t seed) {
  const Array2<double> centers = normal_matrix(20, dims, seed);
  Array2<double> map = normal_matrix(n, dims, seed + 1);
  for (Index i = 0; i < n; ++i)
    for (Index d = 0; d < dims; ++d) map(i, d) = extent * (0.2 * centers(i % 20, d) + 0.05 * map(i, d));
  return map;
}

void expect_near_exact(Repulsion& fast, const Array2<double>& map, double dof, double tolerance) {
  Array2<double> expected(map.rows(), map.cols()), force(map.rows(), map.cols());
  const double z = exact_repulsion(dof)->compute(map, expected, {});
  EXPECT_NEAR(fast.compute(map, force, {}), z, tolerance * z);
  EXPECT_LT(force_error(force, expected), tolerance);
}

TEST(GridRepulsion, IsWithinAThousandthOfExact) {
  for (const Index dims : {1, 2})
    for (const double extent : {1e-3, 0.1, 3.0, 30.0, 200.0}) {
      SCOPED_TRACE(testing::Message() << dims << " dimensions, extent " << extent);
      expect_near_exact(*grid_repulsion(1), clustered_map(2000, dims, extent, 1), 1, 1e-3);
    }
}

TEST(GridRepulsion, KnowsOtherTails) {
  for (const double dof : {0.5, 2.0}) expect_near_exact(*grid_repulsion(dof), clustered_map(1500, 2, 30, 2), dof, 2e-3);
}

TEST(TreeRepulsion, IsWithinAThousandthOfExact) {
  for (const Index dims : {1, 2, 3, 4, 6})
    for (const double extent : {1e-3, 0.1, 3.0, 30.0, 200.0}) {
      SCOPED_TRACE(testing::Message() << dims << " dimensions, extent " << extent);
      expect_near_exact(*tree_repulsion(1), clustered_map(2000, dims, extent, 1), 1, 1e-3);
    }
}

TEST(TreeRepulsion, KnowsOtherTails) {
  for (const double dof : {0.5, 2.0}) expect_near_exact(*tree_repulsion(dof), clustered_map(1500, 3, 30, 2), dof, 2e-3);
}

TEST(TreeRepulsion, DependsOnTheMapAlone) {
  const Array2<double> map = clustered_map(5000, 3, 60, 3);
  Array2<double> first(5000, 3), second(5000, 3);
  const double z = tree_repulsion(1)->compute(map, first, {.threads = 3});
  EXPECT_EQ(tree_repulsion(1)->compute(map, second, {.threads = 1}), z);
  EXPECT_EQ(first, second);
}

TEST(TreeRepulsion, OfCopiesIsBounded) {
  Array2<double> map(100'000, 3), force(100'000, 3);
  map(0, 0) = 1e-12;
  EXPECT_NEAR(tree_repulsion(1)->compute(map, force, {}), 1e5 * (1e5 - 1), 1e3);
}

TEST(GridRepulsion, DependsOnTheMapAlone) {
  const auto used = grid_repulsion(1), fresh = grid_repulsion(1);
  const Array2<double> map = clustered_map(9000, 2, 60, 3);
  Array2<double> first(9000, 2), second(9000, 2);
  for (const double extent : {0.01, 3.0, 300.0, 50.0}) used->compute(clustered_map(9000, 2, extent, 4), first, {});
  const double z = used->compute(map, first, {.threads = 3});
  EXPECT_EQ(fresh->compute(map, second, {.threads = 1}), z);
  EXPECT_EQ(first, second);
}

TEST(GridRepulsion, OfMapsInOnePlaceVanishes) {
  Array2<double> force(50, 2);
  EXPECT_NEAR(grid_repulsion(1)->compute(Array2<double>(50, 2), force, {}), 50 * 49, 1e-6);
  EXPECT_LT(max_abs(force), 1e-9);
}

TEST(GridRepulsion, HugeMapsAreStillDefined) {
  Array2<double> map = clustered_map(500, 2, 1, 5);
  map(0, 0) = 1e5, map(1, 1) = -1e5;
  Array2<double> force(500, 2);
  const double z = grid_repulsion(1)->compute(map, force, {});
  EXPECT_TRUE(std::isfinite(z));
  EXPECT_TRUE(std::isfinite(max_abs(force)));
}

}  // namespace
}  // namespace unroll
