// Eigenpairs of small symmetric matrices: residuals, orthogonality, known spectra, extreme sizes.
#include "linalg/small_eigen.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/matrices.h"

namespace unroll {
namespace {

struct Pairs {
  std::vector<double> values;
  Array2<double> vectors;
};

Pairs solve(const Array2<double>& a) {
  Pairs pairs{std::vector<double>(static_cast<std::size_t>(a.rows())), a};
  SmallEigenScratch scratch;
  small_symmetric_eigen(a.rows(), {pairs.vectors.data(), static_cast<std::size_t>(a.size())}, pairs.values, scratch);
  return pairs;
}

Array2<double> gram(Index m, Index features, std::uint64_t seed) {
  const Array2<double> x = normal_matrix(m, features, seed);
  return product(x, transposed(x));
}

std::vector<double> values_alone(Array2<double> a) {
  std::vector<double> values(static_cast<std::size_t>(a.rows()));
  SmallEigenScratch scratch;
  small_symmetric_eigenvalues(a.rows(), {a.data(), static_cast<std::size_t>(a.size())}, values, scratch);
  return values;
}

void expect_pairs(const Array2<double>& a) {
  const Pairs pairs = solve(a);
  EXPECT_EQ(values_alone(a), pairs.values);
  EXPECT_LT(orthogonality_error(pairs.vectors), 1e-13) << a.rows();
  const Array2<double> image = product(pairs.vectors, a);
  const double norm = std::max(std::abs(pairs.values.front()), std::abs(pairs.values.back()));
  EXPECT_TRUE(std::is_sorted(pairs.values.rbegin(), pairs.values.rend()));
  for (Index k = 0; k < a.rows(); ++k) {
    const double value = pairs.values[static_cast<std::size_t>(k)];
    for (Index i = 0; i < a.rows(); ++i)
      EXPECT_LE(std::abs(image(k, i) - value * pairs.vectors(k, i)), 1e-13 * norm) << a.rows();
  }
}

TEST(SmallEigen, PairsOfRandomMatrices) {
  for (Index m = 1; m <= 40; ++m) {
    const Array2<double> x = normal_matrix(m, m, static_cast<std::uint64_t>(m));
    Array2<double> a(m, m);
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) a(i, j) = x(i, j) + x(j, i);
    expect_pairs(a);
    expect_pairs(gram(m, 3, 7));  // rank 3
    expect_pairs(gram(m, 2 * m, 8));
  }
}

/// Neighbourhoods in a plane: all but a few eigenvalues are rounding.
TEST(SmallEigen, LargeMatricesOfLowRank) {
  for (const Index m : {50, 60, 90, 150})
    for (const Index rank : {1, 2, 3, 5, 10})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        expect_pairs(gram(m, rank, seed));
        // Centred, as patches are.
        Array2<double> x = normal_matrix(m, rank, seed);
        for (Index j = 0; j < rank; ++j) {
          double mean = 0;
          for (Index i = 0; i < m; ++i) mean += x(i, j) / static_cast<double>(m);
          for (Index i = 0; i < m; ++i) x(i, j) -= mean;
        }
        expect_pairs(product(x, transposed(x)));
      }
}

TEST(SmallEigen, GradedMatrices) {
  for (const double step : {0.1, 0.5, 2.0, 10.0})
    for (const Index m : {5, 20, 60}) {
      Array2<double> a = gram(m, 2 * m, 5);
      for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < m; ++j) a(i, j) *= std::pow(step, static_cast<double>(std::min<Index>(i + j, 40)) / 2);
      expect_pairs(a);
    }
}

TEST(SmallEigen, PathGraphHasCosines) {
  for (const Index m : {2, 3, 12, 33}) {
    Array2<double> a(m, m);
    for (Index i = 0; i < m; ++i) {
      a(i, i) = i == 0 || i == m - 1 ? 1 : 2;
      if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
    }
    const Pairs pairs = solve(a);
    for (Index k = 0; k < m; ++k)
      EXPECT_NEAR(pairs.values[static_cast<std::size_t>(m - 1 - k)],
                  2 - 2 * std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(m)), 1e-13);
  }
}

TEST(SmallEigen, SpecialMatrices) {
  for (const Index m : {1, 2, 3, 12}) {
    Array2<double> a(m, m);
    expect_pairs(a);  // zero
    for (Index i = 0; i < m; ++i) a(i, i) = 1;
    expect_pairs(a);
    for (Index i = 0; i < a.size(); ++i) a.data()[i] = 1;
    expect_pairs(a);
    EXPECT_NEAR(solve(a).values.front(), static_cast<double>(m), 1e-13 * static_cast<double>(m));
  }
}

TEST(SmallEigen, PowerOfTwoChangesNoBit) {
  const Array2<double> a = gram(12, 5, 3);
  const Pairs plain = solve(a);
  for (const int exponent : {-1000, -300, 300, 900}) {
    Array2<double> b = a;
    for (Index i = 0; i < b.size(); ++i) b.data()[i] = std::ldexp(b.data()[i], exponent);
    const Pairs pairs = solve(b);
    EXPECT_EQ(pairs.vectors, plain.vectors);
    for (Index k = 0; k < 5; ++k)  // the others are rounding, which may leave the range
      EXPECT_EQ(pairs.values[static_cast<std::size_t>(k)],
                std::ldexp(plain.values[static_cast<std::size_t>(k)], exponent));
  }
}

}  // namespace
}  // namespace unroll
