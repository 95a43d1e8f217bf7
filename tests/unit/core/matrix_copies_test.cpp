#include "core/matrix_copies.h"

#include <gtest/gtest.h>

#include <numeric>

namespace unroll {
namespace {

template <class T>
Array2<T> counted_up(Index rows, Index cols) {
  Array2<T> a(rows, cols);
  std::iota(a.data(), a.data() + a.size(), T{0});
  return a;
}

Array2<double> matrix(Index rows, const std::vector<double>& entries) {
  Array2<double> a(rows, std::ssize(entries) / rows);
  std::copy(entries.begin(), entries.end(), a.data());
  return a;
}

TEST(MatrixCopies, ATransposeHasColumnsAsRows) {
  EXPECT_EQ(transposed(counted_up<double>(2, 3)), matrix(3, {0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(transposed(Array2<double>(0, 3)), Array2<double>(3, 0));
}

TEST(MatrixCopies, RowsAndColumnsArePickedInTheirOrder) {
  const Array2<float> a = counted_up<float>(3, 3);
  EXPECT_EQ(picked(a, {2, 0}, {1, 2}), matrix(2, {7, 8, 1, 2}));
  EXPECT_EQ(picked(a, {}, {1}), matrix(3, {1, 4, 7}));
  EXPECT_EQ(picked(a, {1}, {}), matrix(1, {3, 4, 5}));
  EXPECT_EQ(picked(a, {}, {}), counted_up<double>(3, 3));
}

}  // namespace
}  // namespace unroll
