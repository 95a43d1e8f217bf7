#include "linalg/self_products.h"

#include <gtest/gtest.h>

#include "support/matrices.h"

namespace unroll {
namespace {

Array2<double> packed(const CenteredPoints& z) {
  Array2<double> all(z.rows(), z.cols());
  z.pack(0, z.rows(), all.data());
  return all;
}

/// Small integers, as in images and counts.
Array2<double> integers(Index rows, Index cols, std::uint64_t below) {
  const Random random(4, "integers");
  Array2<double> x(rows, cols);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = static_cast<double>(random.below(below, static_cast<std::uint64_t>(i)));
  return x;
}

TEST(CenteredPoints, HaveZeroMeanAndUnitRange) {
  Array2<double> x = normal_matrix(500, 7, 1);
  for (Index i = 0; i < x.rows(); ++i) x(i, 3) += 1e8;
  const CenteredPoints z = centered(x, {});
  const Array2<double> all = packed(z);
  EXPECT_LE(max_abs(all), 1);
  for (Index j = 0; j < 7; ++j) {
    double mean = 0;
    for (Index i = 0; i < 500; ++i) mean += all(i, j) / 500;
    EXPECT_NEAR(mean, 0, 1e-16);
  }
  EXPECT_FALSE(z.on_grid);
}

TEST(CenteredPoints, ScaleIsAPowerOfTwoAtAnyMagnitude) {
  for (const double magnitude : {1e-320, 1e-300, 1e-5, 1.0, 1e300, 1.7e308}) {
    Array2<double> x(2, 1);
    x(0, 0) = magnitude;
    const CenteredPoints z = centered(x, {});
    int exponent = 0;
    EXPECT_EQ(std::frexp(z.scale, &exponent), 0.5);
    const double size = max_abs(packed(z));
    EXPECT_GT(size * size, 0) << magnitude;
    EXPECT_TRUE(std::isfinite(size * size)) << magnitude;
  }
}

TEST(CenteredPoints, GridIsSeenAtAnyPowerOfTwo) {
  Array2<double> x = integers(50, 9, 256);
  for (const double unit : {1.0, 0x1p-40, 0x1p700}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    EXPECT_TRUE(centered(scaled, {}).on_grid);
    scaled(7, 3) = 0.3 * unit;
    EXPECT_FALSE(centered(scaled, {}).on_grid);
  }
}

void expect_products(const Array2<double>& x, double tolerance) {
  const CenteredPoints z = centered(x, {});
  const Array2<double> all = packed(z);
  const Array2<double> scatter = scatter_matrix(z, {});
  EXPECT_LT(relative_difference(scatter, product(transposed(all), all)), tolerance);
  EXPECT_EQ(scatter, transposed(scatter));
  const Array2<double> gram = gram_matrix(z, {});
  EXPECT_LT(relative_difference(gram, product(all, transposed(all))), tolerance);
  EXPECT_EQ(gram, transposed(gram));
  const Array2<double> q = normal_matrix(4, x.cols(), 8);
  EXPECT_LT(relative_difference(scatter_product(z, q, {}), product(q, scatter)), tolerance);
  double trace = 0;
  for (Index j = 0; j < x.cols(); ++j) trace += scatter(j, j);
  EXPECT_NEAR(squared_norm(z, {}), trace, tolerance * trace);
}

TEST(SelfProducts, AgreeWithPlainLoops) {
  expect_products(normal_matrix(300, 40, 2), 1e-13);
  expect_products(normal_matrix(37, 600, 3), 1e-13);
  expect_products(normal_matrix(1, 5, 3), 1e-13);
  expect_products(integers(700, 300, 256), 1e-13);  // the exact single-precision way
  expect_products(integers(2000, 20, 2), 1e-13);
}

TEST(SelfProducts, SameBitsAtAnyThreadCount) {
  for (const auto& x : {normal_matrix(3000, 300, 5), integers(3000, 300, 200)}) {
    const CenteredPoints one = centered(x, {.threads = 1});
    const Array2<double> scatter = scatter_matrix(one, {.threads = 1});
    const Array2<double> q = normal_matrix(6, 300, 9);
    const Array2<double> image = scatter_product(one, q, {.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const CenteredPoints z = centered(x, {.threads = threads});
      EXPECT_EQ(z.center, one.center);
      EXPECT_EQ(scatter_matrix(z, {.threads = threads}), scatter);
      EXPECT_EQ(scatter_product(z, q, {.threads = threads}), image);
    }
  }
}

TEST(Project, ARowsBitsDoNotDependOnItsNeighbours) {
  const Array2<double> x = normal_matrix(23, 531, 6);
  const Array2<double> axes = normal_matrix(11, 531, 7);
  const std::vector<double> center(531, 0.25);
  const Array2<double> all = project(x, 0.5, center, axes, {});
  Array2<double> expected(23, 11);
  for (Index i = 0; i < 23; ++i) {
    const Array2<double> alone = project(PointsView(x).slice(i, 1), 0.5, center, axes, {});
    for (Index k = 0; k < 11; ++k) {
      EXPECT_EQ(alone(0, k), all(i, k));
      for (Index j = 0; j < 531; ++j) expected(i, k) += (0.5 * x(i, j) - 0.25) * axes(k, j);
    }
  }
  EXPECT_LT(relative_difference(all, expected), 1e-13);
}

}  // namespace
}  // namespace unroll
