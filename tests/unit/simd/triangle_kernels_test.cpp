#include "simd/triangle_kernels.h"

#include <gtest/gtest.h>

#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

// Matrices are column after column here: rows of Array2 are columns. Sizes around every change of the loops.
TEST(TriangleKernels, AgreeWithPlainLoops) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index rows : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33})
      for (const Index cols : {1, 2, 3, 4})
        for (const Index rank : {0, 1, 5}) {
          const Array2<double> a = normal_matrix(rank, rows + 3, 1), b = normal_matrix(rank, cols + 2, 2);
          const Array2<double> c = normal_matrix(cols, rows + 1, 3);
          Array2<double> left = c;
          kernels->triangles.subtract_outer(left.data(), rows + 1, a.data(), rows + 3, b.data(), cols + 2, rows, cols,
                                            rank);
          for (Index j = 0; j < cols; ++j)
            for (Index i = 0; i <= rows; ++i) {
              double expected = c(j, i);
              for (Index p = 0; p < rank && i < rows; ++p) expected -= a(p, i) * b(p, j);
              EXPECT_NEAR(left(j, i), expected, 1e-13) << kernels->name << " " << rows << " " << cols;
            }

          // X L^T = C, multiplied back.
          Array2<double> l = normal_matrix(cols, cols, 4);
          for (Index j = 0; j < cols; ++j) l(j, j) = 2 + static_cast<double>(j);
          Array2<double> x = c;
          kernels->triangles.substitute(x.data(), rows + 1, l.data(), cols, rows, cols);
          for (Index j = 0; j < cols; ++j) {
            EXPECT_EQ(x(j, rows), c(j, rows));
            for (Index i = 0; i < rows; ++i) {
              double product = 0;
              for (Index p = 0; p <= j; ++p) product += x(p, i) * l(p, j);
              EXPECT_NEAR(product, c(j, i), 1e-13) << kernels->name;
            }
          }
        }
}

TEST(TriangleKernels, SquaresHaveTheirLowerTriangle) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index rows : {1, 3, 4, 5, 8, 13, 30}) {
      const Array2<double> a = normal_matrix(6, rows, 1), c = normal_matrix(rows, rows, 2);
      Array2<double> left = c;
      kernels->triangles.subtract_square(left.data(), rows, a.data(), rows, rows, 6);
      for (Index j = 0; j < rows; ++j)
        for (Index i = j; i < rows; ++i) {
          double expected = c(j, i);
          for (Index p = 0; p < 6; ++p) expected -= a(p, i) * a(p, j);
          EXPECT_NEAR(left(j, i), expected, 1e-13) << kernels->name;
        }
    }
}

}  // namespace
}  // namespace unroll
