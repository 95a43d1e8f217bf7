#include "sources/residual_variance.h"

#include <gtest/gtest.h>

#include <numeric>

#include "spectral/recipe.h"
#include "support/distances.h"
#include "support/matrices.h"

namespace unroll {
namespace {

std::vector<Index> all(Index n) {
  std::vector<Index> points(static_cast<std::size_t>(n));
  std::iota(points.begin(), points.end(), Index{0});
  return points;
}

TEST(ResidualVariance, IsZeroFromTheTrueDimensionOn) {
  Array2<double> x = normal_matrix(200, 3, 1);
  for (Index i = 0; i < 200; ++i) x(i, 1) *= 0.5, x(i, 2) = 0;
  const auto left = residual_variance(distances_between(x).view(), all(200), x, 0, {});
  ASSERT_EQ(left.size(), 3U);
  EXPECT_GT(left[0], 0.05);
  EXPECT_LT(left[1], 1e-12);
  EXPECT_LT(left[2], 1e-12);
  EXPECT_EQ(elbow(left), 2);
}

TEST(ResidualVariance, IsOneMinusTheSquaredCorrelation) {
  const Array2<double> x = normal_matrix(100, 4, 2), y = normal_matrix(100, 1, 3);
  const double r = correlation_of_distances(x, y);
  const Array2<double> d = distances_between(x);
  EXPECT_NEAR(residual_variance(d.view(), all(100), y, 0, {})[0], 1 - r * r, 1e-12);
  EXPECT_EQ(residual_variance(d.view(), all(100), y, 0, {.threads = 1}),
            residual_variance(d.view(), all(100), y, 0, {.threads = 3}));
}

TEST(ResidualVariance, PairsWithoutAPathDoNotCount) {
  const Array2<double> x = normal_matrix(60, 2, 4);
  Array2<double> d = distances_between(x);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j)
      if ((i < 30) != (j < 30)) d(i, j) = INFINITY;
  EXPECT_LT(residual_variance(d.view(), all(60), x, 0, {})[1], 1e-12);
}

TEST(ResidualVariance, WithoutExtentAllIsLeft) {
  const Array2<double> none(20, 2);
  EXPECT_EQ(residual_variance(distances_between(none).view(), all(20), none, 0, {}), (std::vector<double>{1, 1}));
  EXPECT_EQ(elbow({0.9, 0.8, 0.7}), std::nullopt);
  EXPECT_EQ(elbow({0.01, 0.0005, 0.0004, 0.00045}), 2);
  EXPECT_EQ(elbow({0.4, 0.39}), 1);
  EXPECT_EQ(elbow({}), std::nullopt);
}

TEST(RecipeTable, HasEveryRowOnce) {
  EXPECT_EQ(recipes.size(), 14U);
  for (std::size_t a = 0; a < recipes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(recipes[a].method == recipes[b].method && recipes[a].laplacian == recipes[b].laplacian);
  static_assert(recipe(SpectralMethod::SpectralClustering, Laplacian::Symmetric).coordinates ==
                CoordinateRule::UnitRows);
}

}  // namespace
}  // namespace unroll
