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

/// A supernode in the middle of a vector: columns 2 to 2 + cols, other rows every second one after them. Its panel has
/// rows of others below.
struct Node {
  Node(Index cols, Index others)
      : size(2 + cols + 2 * others), l(normal_matrix(cols, cols + others + 3, 5)) {  // column after column
    for (Index i = 0; i < cols + others; ++i)
      row.push_back(static_cast<std::int32_t>(i < cols ? 2 + i : 2 + cols + 2 * (i - cols) + 1));
    for (Index j = 0; j < cols; ++j) l(j, j) = 3 + static_cast<double>(j);
    node = {.first = 2,
            .cols = cols,
            .rows = cols + others,
            .row = row.data(),
            .values = l.data(),
            .stride = cols + others + 3};
  }

  Index size;
  Array2<double> l;
  std::vector<std::int32_t> row;
  simd::Supernode node;
};

// What was solved, multiplied back: L y for the rows of the node. The rows below come in two pieces.
TEST(SideKernels, SupernodesSolveTheirPart) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index cols : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12})
      for (const Index others : {0, 1, 2, 7, 8, 9, 19}) {
        const Node own(cols, others);
        const Array2<double> b = normal_matrix(own.size, kSides, 6);
        Array2<double> y = b;
        std::vector<double> sums(static_cast<std::size_t>(others * kSides));
        kernels->sides.solve_lower(own.node, y.data());
        const Index middle = cols + others / 3;
        kernels->sides.subtract_lower(own.node, middle, own.node.rows, y.data(), sums.data());
        kernels->sides.subtract_lower(own.node, cols, middle, y.data(), sums.data());
        for (Index s = 0; s < kSides; ++s) {
          for (Index i = 0; i < own.node.rows; ++i) {
            const Index at = own.row[static_cast<std::size_t>(i)];
            double sum = i < cols ? 0 : y(at, s);
            for (Index j = 0; j <= std::min(i, cols - 1); ++j) sum += own.l(j, i) * y(2 + j, s);
            EXPECT_NEAR(sum, b(at, s), 1e-11) << kernels->name << " " << cols << " " << others;
          }
          for (Index i = 0; i < own.size; ++i)
            EXPECT_TRUE(y(i, s) == b(i, s) || std::find(own.row.begin(), own.row.end(), i) != own.row.end());
        }
      }
}

// The same for L^T y of its columns, which come in two pieces.
TEST(SideKernels, SupernodesSolveTheirTransposedPart) {
  for (const simd::Kernels* kernels : runnable_kernels())
    for (const Index cols : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12})
      for (const Index others : {0, 1, 2, 7, 8, 9, 19}) {
        const Node own(cols, others);
        const Array2<double> b = normal_matrix(own.size, kSides, 6);
        Array2<double> y = b, below(others, kSides);
        for (Index i = 0; i < others; ++i)
          std::copy_n(y.row(own.row[static_cast<std::size_t>(cols + i)]), kSides, below.row(i));
        const Index middle = cols / 3;
        kernels->sides.subtract_upper(own.node, middle, cols, y.data(), below.data());
        kernels->sides.subtract_upper(own.node, 0, middle, y.data(), below.data());
        kernels->sides.solve_upper(own.node, y.data());
        for (Index s = 0; s < kSides; ++s) {
          for (Index j = 0; j < cols; ++j) {
            double sum = 0;
            for (Index i = j; i < own.node.rows; ++i) sum += own.l(j, i) * y(own.row[static_cast<std::size_t>(i)], s);
            EXPECT_NEAR(sum, b(2 + j, s), 1e-11) << kernels->name << " " << cols << " " << others;
          }
          for (Index i = 0; i < own.size; ++i) EXPECT_TRUE(y(i, s) == b(i, s) || (i >= 2 && i < 2 + cols));
        }
      }
}

}  // namespace
}  // namespace unroll
