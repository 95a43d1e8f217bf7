#include "simd/side_kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

constexpr Index kSides = simd::kSides;

// Numbers of rows and columns around every size at which the kernels change their loops.
TEST(SideKernels, ProductsOfFewVectorsAgreeWithPlainOnes) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index width : {4, 8})
      for (const Index rows : {1, 3, 4, 5, 9, 127, 128, 129, 300})
        for (const Index cols : {1, 3, 4, 5, 8, 13}) {
          const simd::TallKernels* tall = kernels->sides.tall(width);
          ASSERT_NE(tall, nullptr);
          const Array2<double> x = normal_matrix(rows, cols, 1), y = normal_matrix(rows, width, 2);
          Array2<double> dots(cols, width);
          tall->inner_products(x.data(), cols, cols, y.data(), width, rows, dots.data());
          EXPECT_LT(relative_difference(dots, product(transposed(x), y)), 1e-14) << kernels->name;

          const Array2<double> c = normal_matrix(cols, width, 3), xc = product(x, c);
          Array2<double> rest = y;
          tall->subtract_product(rest.data(), width, x.data(), cols, cols, c.data(), rows);
          for (Index i = 0; i < rest.size(); ++i)
            EXPECT_NEAR(rest.data()[i], y.data()[i] - xc.data()[i], 1e-13) << kernels->name;

          const Array2<double> square = normal_matrix(width, width, 4);
          Array2<double> replaced = y;
          tall->replace_by_product(replaced.data(), square.data(), rows);
          EXPECT_LT(relative_difference(replaced, product(y, square)), 1e-14) << kernels->name;
        }
}

// A supernode of every shape in the middle of a vector: columns 2 to 2 + cols, other rows every second one after them.
TEST(SideKernels, SupernodesSolveTheirPart) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index cols : {1, 3, 4, 9})
      for (const Index others : {0, 1, 2, 7, 8, 9, 19}) {
        const Index rows = cols + others, size = 2 + cols + 2 * others;
        Array2<double> l = normal_matrix(cols, rows, 5);  // column after column
        std::vector<std::int32_t> row;
        for (Index i = 0; i < rows; ++i)
          row.push_back(static_cast<std::int32_t>(i < cols ? 2 + i : 2 + cols + 2 * (i - cols) + 1));
        for (Index j = 0; j < cols; ++j) l(j, j) = 3 + static_cast<double>(j);
        const simd::Supernode node{.first = 2, .cols = cols, .rows = rows, .row = row.data(), .values = l.data()};
        const Array2<double> b = normal_matrix(size, kSides, 6);
        for (const bool transposed : {false, true}) {
          Array2<double> y = b;
          std::vector<double> below(static_cast<std::size_t>(rows * kSides));
          if (transposed) {
            kernels->sides.solve_upper(node, y.data(), below.data());
          } else {
            kernels->sides.solve_lower(node, y.data());
          }
          // What was solved, multiplied back: L y for the rows of the node, or L^T y for its columns.
          for (Index s = 0; s < kSides; ++s) {
            for (Index j = 0; transposed && j < cols; ++j) {
              double sum = 0;
              for (Index i = j; i < rows; ++i) sum += l(j, i) * y(row[static_cast<std::size_t>(i)], s);
              EXPECT_NEAR(sum, b(2 + j, s), 1e-11) << kernels->name;
            }
            for (Index i = 0; !transposed && i < rows; ++i) {
              const Index at = row[static_cast<std::size_t>(i)];
              double sum = i < cols ? 0 : y(at, s);
              for (Index j = 0; j <= std::min(i, cols - 1); ++j) sum += l(j, i) * y(2 + j, s);
              EXPECT_NEAR(sum, b(at, s), 1e-11) << kernels->name;
            }
          }
        }
      }
}

}  // namespace
}  // namespace unroll
