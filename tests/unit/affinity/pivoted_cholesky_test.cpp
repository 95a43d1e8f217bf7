#include "affinity/pivoted_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "affinity/mercer_kernel.h"
#include "support/matrices.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

ColumnSource source(const Array2<double>& a) {
  ColumnSource s{.size = a.rows()};
  for (Index i = 0; i < a.rows(); ++i) s.diagonal.push_back(a(i, i));
  s.columns = [&a](const std::vector<Index>& chosen) {
    Array2<double> c(a.rows(), std::ssize(chosen));
    for (Index i = 0; i < c.rows(); ++i)
      for (Index k = 0; k < c.cols(); ++k) c(i, k) = a(i, chosen[static_cast<std::size_t>(k)]);
    return c;
  };
  s.square = [&a](const std::vector<Index>& chosen) {
    Array2<double> c(std::ssize(chosen), std::ssize(chosen));
    for (Index i = 0; i < c.rows(); ++i)
      for (Index k = 0; k < c.cols(); ++k)
        c(i, k) = a(chosen[static_cast<std::size_t>(i)], chosen[static_cast<std::size_t>(k)]);
    return c;
  };
  return s;
}

Array2<double> factor_of(const PivotedCholesky& c) {
  Array2<double> f(c.factor().rows, c.factor().cols);
  for (Index i = 0; i < f.rows(); ++i) std::copy_n(c.factor().row(i), f.cols(), f.row(i));
  return f;
}

Array2<double> gaussian(const Array2<double>& x, double gamma) {
  return MercerKernel(x, {.kernel = Kernel::Rbf, .gamma = gamma}, {}).matrix(x, {});
}

double trace_left(const Array2<double>& a, const Array2<double>& f) {
  const Array2<double> approximation = product(f, transposed(f));
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += a(i, i) - approximation(i, i);
  return sum;
}

/// F at the pivots is lower triangular with a positive diagonal, and F F^T has A's columns there.
void expect_consistent(const Array2<double>& a, const PivotedCholesky& c) {
  ASSERT_EQ(c.factor().cols, std::ssize(c.pivots));
  EXPECT_EQ(std::set<Index>(c.pivots.begin(), c.pivots.end()).size(), c.pivots.size());
  const Array2<double> approximation = product(factor_of(c), transposed(factor_of(c)));
  for (Index k = 0; k < c.factor().cols; ++k) {
    const Index pivot = c.pivots[static_cast<std::size_t>(k)];
    EXPECT_GT(c.factor()(pivot, k), 0);
    for (Index later = k + 1; later < c.factor().cols; ++later)
      EXPECT_LT(std::abs(c.factor()(pivot, later)), 1e-6 * std::sqrt(a(pivot, pivot)));
    for (Index i = 0; i < a.rows(); ++i) ASSERT_NEAR(approximation(i, pivot), a(i, pivot), 1e-10 * a(pivot, pivot));
  }
  EXPECT_NEAR(c.remaining, trace_left(a, factor_of(c)), 1e-10 * c.trace);
}

TEST(PivotedCholesky, IsExactForAKernelOfItsRank) {
  const Array2<double> b = normal_matrix(200, 9, 1), a = product(b, transposed(b));
  const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 50, 0, {});
  EXPECT_EQ(c.pivots.size(), 9U);
  EXPECT_LT(relative_difference(product(factor_of(c), transposed(factor_of(c))), a), 1e-12);
  EXPECT_LT(c.remaining, 1e-11 * c.trace);
  expect_consistent(a, c);
}

TEST(PivotedCholesky, TheRemainingTraceIsTheError) {
  const Array2<double> a = gaussian(normal_matrix(300, 3, 2), 0.5);
  double before = 300;
  for (const Index rank : {5, 40, 150}) {
    const PivotedCholesky c = randomly_pivoted_cholesky(source(a), rank, 0, {});
    EXPECT_EQ(std::ssize(c.pivots), rank);
    expect_consistent(a, c);
    EXPECT_LT(c.remaining, before);
    EXPECT_NEAR(c.trace, 300, 1e-10);
    before = c.remaining;
  }
}

TEST(PivotedCholesky, NearTheBestApproximationOfItsRank) {
  // Eigenvalues 2^-i: the best approximation of rank 20 leaves 2^-19 of the trace; expected here: a small multiple.
  const Index n = 100;
  const Array2<double> q = rotation(n, 4);
  Array2<double> scaled = q;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) scaled(i, j) *= std::exp2(-static_cast<double>(i));
  const Array2<double> a = product(transposed(q), scaled);
  const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 20, 0, {});
  EXPECT_LT(c.remaining, 100 * std::exp2(-19));
}

TEST(PivotedCholesky, DuplicatesAreTakenOnce) {
  const Array2<double> few = normal_matrix(12, 3, 5);
  Array2<double> x(240, 3);
  for (Index i = 0; i < 240; ++i) std::copy_n(few.row(i % 12), 3, x.row(i));
  const Array2<double> a = gaussian(x, 1);
  const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 100, 0, {});
  EXPECT_EQ(c.pivots.size(), 12U);
  EXPECT_EQ(c.remaining, 0);
  expect_consistent(a, c);
}

TEST(PivotedCholesky, AllPivots) {
  const Array2<double> a = gaussian(normal_matrix(150, 4, 6), 2);
  const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 150, 0, {});
  EXPECT_EQ(c.pivots.size(), 150U);
  EXPECT_LT(relative_difference(product(factor_of(c), transposed(factor_of(c))), a), 1e-11);
}

TEST(PivotedCholesky, NothingToFactorise) {
  const Array2<double> zero(20, 20);
  const PivotedCholesky c = randomly_pivoted_cholesky(source(zero), 5, 0, {});
  EXPECT_TRUE(c.pivots.empty());
  EXPECT_EQ(c.factor().rows, 20);
  EXPECT_EQ(c.remaining, 0);
}

TEST(PivotedCholesky, SameBitsAtAnyThreadCountAndOtherPivotsForAnotherSeed) {
  const Array2<double> a = gaussian(normal_matrix(1500, 3, 7), 0.3);
  const PivotedCholesky one = randomly_pivoted_cholesky(source(a), 100, 0, {.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 100, 0, {.threads = threads});
    EXPECT_EQ(factor_of(c), factor_of(one));
    EXPECT_EQ(c.remaining, one.remaining);
  }
  EXPECT_NE(randomly_pivoted_cholesky(source(a), 100, 1, {}).pivots, one.pivots);
}

TEST(PivotedCholesky, PivotsAreDrawnByWhatIsLeft) {
  // Diagonal matrix: the first pivot is i with probability a_ii / trace, whatever the blocks and rejections do.
  Array2<double> a(4, 4);
  for (Index i = 0; i < 4; ++i) a(i, i) = static_cast<double>(i + 1);
  std::vector<double> first(4), second(4);
  constexpr int kDraws = 4000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const PivotedCholesky c = randomly_pivoted_cholesky(source(a), 2, seed, {});
    ++first[static_cast<std::size_t>(c.pivots[0])];
    ++second[static_cast<std::size_t>(c.pivots[1])];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double p = static_cast<double>(i + 1) / 10;
    double q = 0;  // without replacement
    for (std::size_t j = 0; j < 4; ++j)
      if (j != i) q += static_cast<double>(j + 1) / 10 * static_cast<double>(i + 1) / (10 - static_cast<double>(j + 1));
    EXPECT_NEAR(first[i] / kDraws, p, 5 * std::sqrt(p * (1 - p) / kDraws));
    EXPECT_NEAR(second[i] / kDraws, q, 5 * std::sqrt(q * (1 - q) / kDraws));
  }
}

TEST(PivotedCholesky, GivenPivotsAndDependentOnesAreDropped) {
  Array2<double> x = normal_matrix(200, 3, 8);
  for (const Index copy : {50, 90, 130}) std::copy_n(x.row(10), 3, x.row(copy));
  const Array2<double> a = gaussian(x, 1);
  std::vector<Index> pivots;
  for (Index i = 0; i < 200; i += 2) pivots.push_back(i);  // 10, 50, 90, 130 among them
  const PivotedCholesky c = cholesky_at(source(a), pivots, {});
  EXPECT_EQ(c.dropped, 3);
  EXPECT_EQ(c.pivots.size(), 97U);
  expect_consistent(a, c);
}

TEST(PivotedCholesky, IndefiniteKernelsAreRefused) {
  Array2<double> a(2, 2);
  a(0, 0) = a(1, 1) = 1, a(0, 1) = a(1, 0) = 2;
  EXPECT_THROW(randomly_pivoted_cholesky(source(a), 2, 0, {}), Error);
  a(1, 1) = -1;
  EXPECT_THROW(cholesky_at(source(a), {0}, {}), Error);
}

}  // namespace
}  // namespace unroll
