// Products with W: full in both precisions and sparse, values and distances, against plain loops.
#include <gtest/gtest.h>

#include "affinity/centered_operator.h"
#include "affinity/similarities.h"
#include "support/distances.h"
#include "support/matrices.h"

namespace unroll {
namespace {

using Entries = Similarities::Entries;

Array2<double> symmetric(Index n, std::uint64_t seed) { return distances_between(normal_matrix(n, 3, seed)); }

Array2<double> entries_of(const Array2<double>& stored, Entries entries, double scale) {
  Array2<double> w = stored;
  for (Index i = 0; i < w.size(); ++i) w.data()[i] = similarity(entries, scale, stored.data()[i]);
  return w;
}

SparseMatrix sparse_of(const Array2<double>& full) {
  SparseMatrix m{.rows = full.rows(), .cols = full.cols()};
  for (Index i = 0; i < full.rows(); ++i) {
    for (Index j = 0; j < full.cols(); ++j)
      if (full(i, j) != 0) m.columns.push_back(j), m.values.push_back(full(i, j));
    m.offsets.push_back(std::ssize(m.columns));
  }
  return m;
}

Array2<double> times(const Similarities& w, const Array2<double>& x, int threads = 1) {
  Array2<double> y(x.rows(), x.cols());
  multiply(w, x, y, {.threads = threads});
  return y;
}

class Products : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Similarities, Products, testing::Values(1, 2, 127, 128, 129, 300, 2100),
                         [](const auto& size) { return "of_" + std::to_string(size.param) + "_points"; });

TEST_P(Products, AreThoseOfTheMatrix) {
  const Array2<double> stored = symmetric(GetParam(), 1), x = normal_matrix(GetParam(), 5, 2);
  const Array2<float> narrow = as_float(stored);
  Array2<double> widened(narrow.rows(), narrow.cols());
  std::copy_n(narrow.data(), narrow.size(), widened.data());
  const SparseMatrix sparse = sparse_of(stored);
  for (const Entries entries : {Entries::Values, Entries::Distances}) {
    const Array2<double> expected = product(entries_of(stored, entries, 0.5), x);
    EXPECT_LT(relative_difference(times({stored.view(), entries, 0.5}, x), expected), 1e-13);
    EXPECT_LT(relative_difference(times({&sparse, entries, 0.5}, x), expected), 1e-13);
    EXPECT_LT(
        relative_difference(times({narrow.view(), entries, 0.5}, x), product(entries_of(widened, entries, 0.5), x)),
        1e-13);
  }
}

TEST_P(Products, HaveTheSameBitsAtAnyThreadCount) {
  const Array2<double> stored = symmetric(GetParam(), 3), x = normal_matrix(GetParam(), 3, 4);
  const SparseMatrix sparse = sparse_of(stored);
  for (const Similarities& w : {Similarities{stored.view(), Entries::Distances}, Similarities{&sparse}})
    for (const int threads : {2, 3, 8}) EXPECT_EQ(times(w, x, threads), times(w, x));
}

TEST(Similarities, TheUpperTriangleCounts) {
  Array2<double> stored = symmetric(200, 5);
  const Array2<double> x = normal_matrix(200, 2, 6), expected = times({stored.view()}, x);
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < i; ++j) stored(i, j) = 1e6;
  EXPECT_EQ(times({stored.view()}, x), expected);
}

TEST(Similarities, RowMeans) {
  const Array2<double> stored = symmetric(150, 7);
  const std::vector<double> means = row_means({stored.view(), Entries::Distances}, {});
  for (Index i = 0; i < 150; ++i) {
    double sum = 0;
    for (Index j = 0; j < 150; ++j) sum -= 0.5 * stored(i, j) * stored(i, j);
    EXPECT_NEAR(means[static_cast<std::size_t>(i)], sum / 150, 1e-12 * std::abs(sum));
  }
}

TEST(CenteredOperator, IsTheMatrixCenteredTwice) {
  const Index n = 70;
  const Array2<double> stored = symmetric(n, 8);
  Array2<double> j(n, n);
  for (Index a = 0; a < n; ++a)
    for (Index b = 0; b < n; ++b) j(a, b) = (a == b ? 1 : 0) - 1 / static_cast<double>(n);
  const Array2<double> expected = product(j, product(entries_of(stored, Entries::Distances, 1), j));
  EXPECT_LT(relative_difference(CenteredOperator({stored.view(), Entries::Distances}).dense({}), expected), 1e-13);
}

}  // namespace
}  // namespace unroll
