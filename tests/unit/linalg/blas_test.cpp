#include "linalg/blas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/matrices.h"

extern "C" int openblas_get_num_threads();

namespace unroll {
namespace {

TEST(Blas, RunsOnOneThreadInsideGuards) {
  const int before = openblas_get_num_threads();
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    { const SingleThreadedBlas inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), before);
}

TEST(Blas, SizesBeyondItsOwnAreRefused) {
  EXPECT_EQ(blas_size(7), 7);
  expect_error(ErrorKind::Unsupported, "2147483648", [] { blas_size(Index{1} << 31U); });
}

TEST(Blas, ProductsInBothPrecisions) {
  const Array2<double> a = normal_matrix(5, 4, 1), b = normal_matrix(4, 3, 2);
  const Array2<double> expected = product(a, b);
  Array2<double> c(5, 3);  // row-major: the transposed product in column-major terms
  gemm(false, false, 3, 5, 4, 1.0, b.data(), 3, a.data(), 4, 0.0, c.data(), 3);
  EXPECT_LT(relative_difference(c, expected), 1e-15);
  const Array2<float> af = as_float(a), bf = as_float(b);
  Array2<float> cf(5, 3);
  gemm(false, false, 3, 5, 4, 1.0F, bf.data(), 3, af.data(), 4, 0.0F, cf.data(), 3);
  for (Index i = 0; i < 15; ++i) EXPECT_NEAR(cf.data()[i], expected.data()[i], 1e-5);
}

}  // namespace
}  // namespace unroll
