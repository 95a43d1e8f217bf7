// Forces of SNE on a grid, against all pairs.
#include "layout/gauss_repulsion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/force_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// Clusters, as maps of SNE are, with a few points far away from all others, and a pair of them.
Array2<double> map_with_lonely_points(Index n, Index dims, double extent) {
  const Array2<double> centers = normal_matrix(9, dims, 21);
  Array2<double> map = normal_matrix(n, dims, 22);
  for (Index i = 0; i < n; ++i)
    for (Index d = 0; d < dims; ++d) map(i, d) = extent * (0.3 * centers(i % 9, d) + 0.1 * map(i, d));
  map(7, 0) = 6 * extent, map(8, 0) = 6 * extent + 2.5, map(9, 0) = -5 * extent - 40;
  return map;
}

TEST(GaussRepulsion, OnAGridIsWithinAThousandthOfExact) {
  for (const Index dims : {1, 2})
    for (const double extent : {1e-3, 0.3, 3.0, 12.0}) {
      SCOPED_TRACE(testing::Message() << dims << " dimensions, extent " << extent);
      const Array2<double> map = map_with_lonely_points(1500, dims, extent);
      Array2<double> expected(1500, dims), force(1500, dims);
      const auto exact = exact_gauss_repulsion(), grid = grid_gauss_repulsion();
      const GaussSums exact_sums = exact->sums(map, {}), sums = grid->sums(map, {});
      for (std::size_t i = 0; i < sums.sum.size(); ++i) {
        // log of the sum of exp(-r^2)
        const double log_sum = std::log(exact_sums.sum[i]) - exact_sums.least[i];
        ASSERT_NEAR(std::log(sums.sum[i]) - sums.least[i], log_sum, 1e-3) << i;
      }
      exact->forces(map, exact_sums, expected, {});
      grid->forces(map, sums, force, {});
      EXPECT_LT(force_error(force, expected), 1e-3);
      for (const Index i : {7, 8, 9})
        for (Index d = 0; d < dims; ++d)
          EXPECT_NEAR(force(i, d), expected(i, d), 1e-3 * std::abs(expected(i, 0)) + 1e-12) << i;
    }
}

TEST(GaussRepulsion, OnAGridDependsOnTheMapAlone) {
  const Array2<double> map = map_with_lonely_points(3000, 2, 9);
  const auto used = grid_gauss_repulsion(), fresh = grid_gauss_repulsion();
  Array2<double> first(3000, 2), second(3000, 2);
  for (const double extent : {0.1, 20.0}) used->sums(map_with_lonely_points(3000, 2, extent), {});
  const GaussSums many = used->sums(map, {.threads = 3}), one = fresh->sums(map, {.threads = 1});
  EXPECT_EQ(many.sum, one.sum);
  used->forces(map, many, first, {.threads = 3});
  fresh->forces(map, one, second, {.threads = 1});
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace unroll
