#include "linalg/tall_matrix.h"

#include <gtest/gtest.h>

#include "support/matrices.h"

namespace unroll {
namespace {

TEST(TallMatrix, ProductsAgreeWithPlainOnes) {
  Array2<double> x = normal_matrix(9000, 7, 1), y = normal_matrix(9000, 3, 2);
  const Array2<double> expected = product(transposed(x), y);
  EXPECT_LT(relative_difference(inner_products(columns(x), columns(y), {}), expected), 1e-13);
  const Array2<double> part = inner_products(columns(x, 2, 4), columns(y), {});
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(part(i, j), expected(2 + i, j), 1e-10);

  const Array2<double> c = normal_matrix(7, 3, 3), xc = product(x, c);
  Array2<double> rest = y;
  subtract_product(columns(rest), columns(x), c, {});
  for (Index i = 0; i < rest.size(); ++i) EXPECT_NEAR(rest.data()[i], y.data()[i] - xc.data()[i], 1e-12);

  replace_by_product(columns(x), c, {});
  for (Index i = 0; i < 9000; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(x(i, j), xc(i, j), 1e-12);
}

// One block of rows, several, and a last one that is longer than the others.
TEST(TallMatrix, OrthonormalizeFactorizes) {
  for (const Index rows : {8, 4096, 8192, 13'000}) {
    for (const Index cols : {4, 5, 8}) {
      const Array2<double> x = normal_matrix(rows, cols, static_cast<std::uint64_t>(rows));
      Array2<double> q = x;
      const Array2<double> r = orthonormalize(q, {});
      EXPECT_LT(orthogonality_error(transposed(q)), 1e-14);
      EXPECT_LT(relative_difference(product(q, r), x), 1e-14);
      for (Index i = 0; i < cols; ++i)
        for (Index j = 0; j < i; ++j) EXPECT_EQ(r(i, j), 0);
    }
  }
}

TEST(TallMatrix, OrthonormalizeCompletesWhatIsDependent) {
  for (const Index cols : {4, 8}) {
    for (const double nearly : {0.0, 1e-14, 1e-7, 1e-3}) {
      Array2<double> x = normal_matrix(10'000, cols, 1);
      for (Index i = 0; i < x.rows(); ++i) {
        x(i, 1) = 2 * x(i, 0) + nearly * x(i, 1);
        x(i, 3) = 0;
      }
      Array2<double> q = x;
      const Array2<double> r = orthonormalize(q, {});
      EXPECT_LT(orthogonality_error(transposed(q)), 1e-14);
      EXPECT_LT(relative_difference(product(q, r), x), 4e-15 * static_cast<double>(cols));  // rounding
    }
  }
}

TEST(TallMatrix, OrthonormalizesWhatIsHardlyIndependent) {
  for (const double nearly : {1e-7, 1e-4, 3e-4, 1e-2}) {
    Array2<double> x = normal_matrix(10'000, 8, 1);
    for (Index i = 0; i < x.rows(); ++i)
      for (Index k = 1; k < 8; ++k) x(i, k) = x(i, 0) + nearly * x(i, k);
    Array2<double> q = x;
    const Array2<double> r = orthonormalize(q, {});
    EXPECT_LT(orthogonality_error(transposed(q)), 1e-14);
    // Householder's residual is rounding, of eight columns. CholeskyQR2, which takes columns that are farther from
    // dependent, multiplies by the inverse of R: its residual is rounding times the condition of x, about 1 / nearly.
    const double bound = nearly < 1e-5 ? 3e-14 : 32 * 0x1p-53 / nearly;
    EXPECT_LT(relative_difference(product(q, r), x), bound) << nearly;
  }
}

TEST(TallMatrix, SameBitsAtAnyThreadCount) {
  Array2<double> x = normal_matrix(50'000, 8, 1), first = x;
  const Array2<double> dots = inner_products(columns(x), columns(x), {.threads = 1});
  const Array2<double> r = orthonormalize(first, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(inner_products(columns(x), columns(x), {.threads = threads}), dots);
    Array2<double> q = x;
    EXPECT_EQ(orthonormalize(q, {.threads = threads}), r);
    EXPECT_EQ(q, first);
  }
}

}  // namespace
}  // namespace unroll
