#include "linalg/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <atomic>

#include "linalg/tridiagonal_eigen.h"
#include "support/eigen_reference.h"
#include "support/matrices.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

HowMany exactly(Index count) {
  return [count](const auto&) { return count; };
}

Array2<double> random_symmetric(Index n, std::uint64_t seed) {
  const Array2<double> a = normal_matrix(n, n, seed);
  Array2<double> s(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) s(i, j) = a(i, j) + a(j, i);
  return s;
}

/// Q^T diag(values) Q.
Array2<double> with_spectrum(const std::vector<double>& values, std::uint64_t seed) {
  const Index n = std::ssize(values);
  const Array2<double> q = rotation(n, seed);
  Array2<double> scaled = q;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) scaled(i, j) *= values[static_cast<std::size_t>(i)];
  return product(transposed(q), scaled);
}

// Eigen's QR iteration is an independent implementation.
TEST(SymmetricEigen, AgreesWithEigen) {
  for (const Index n : {1, 2, 3, 10, 57, 200}) {
    const Array2<double> matrix = random_symmetric(n, static_cast<std::uint64_t>(n));
    const ReferencePairs expected = pairs_by_eigen(matrix);
    const Index count = (n + 1) / 2;
    const EigenPairs pairs = leading_eigenpairs(matrix, exactly(count), {});
    ASSERT_EQ(std::ssize(pairs.values), n);
    ASSERT_EQ(pairs.vectors.rows(), count);
    const double scale = std::max(std::abs(pairs.values.front()), std::abs(pairs.values.back()));
    for (Index k = 0; k < n; ++k)
      EXPECT_NEAR(pairs.values[static_cast<std::size_t>(k)], expected.values[static_cast<std::size_t>(n - 1 - k)],
                  1e-13 * scale);
    Array2<double> vectors(count, n);
    for (Index k = 0; k < count; ++k) std::copy_n(expected.vectors.row(n - 1 - k), n, vectors.row(k));
    EXPECT_LT(subspace_difference(pairs.vectors, vectors), 1e-9) << n;
    EXPECT_LT(orthogonality_error(pairs.vectors), 1e-12);
    for (const double residual : pairs.residuals) EXPECT_LT(residual, 1e-13);
  }
}

TEST(TridiagonalEigen, BothWaysToTheVectorsAgree) {
  for (const Index n : {3, 10, 100}) {
    const Array2<double> entries = normal_matrix(2, n, static_cast<std::uint64_t>(n));
    const Tridiagonal t{{entries.row(0), entries.row(0) + n}, {entries.row(1), entries.row(1) + n}};
    const auto values = eigenvalues(t);
    const auto quick = leading_vectors_by_mrrr(t, values, n / 3);
    ASSERT_TRUE(quick.has_value()) << n;
    const Array2<double> certain = leading_vectors_by_division(t, n / 3);
    EXPECT_LT(subspace_difference(*quick, certain), 1e-10);
    EXPECT_LT(orthogonality_error(certain), 1e-13);
  }
}

// LAPACK up to 3.11 orders the eigenvalues of 2 x 2 matrices by magnitude when asked for an index range: the check
// must notice, and divide and conquer gives the answer.
TEST(TridiagonalEigen, AWrongVectorIsNoticed) {
  const Tridiagonal t{{1, -2}, {0.5, 0}};
  const auto quick = leading_vectors_by_mrrr(t, eigenvalues(t), 1);
  const Array2<double> certain = leading_vectors_by_division(t, 1);
  if (quick) {
    EXPECT_LT(subspace_difference(*quick, certain), 1e-14);
  }
  EXPECT_NEAR(std::abs(certain(0, 0)), 0.9870874576374967, 1e-15);
  const std::vector<double> wrong_values{5, -5};
  EXPECT_FALSE(leading_vectors_by_mrrr(t, wrong_values, 1).has_value());
}

TEST(SymmetricEigen, GroupsOfEqualValuesComeWhole) {
  const Array2<double> matrix = with_spectrum({5, 3, 3, 3, 1, 0}, 1);
  EXPECT_EQ(leading_eigenpairs(matrix, exactly(1), {}).vectors.rows(), 1);
  EXPECT_EQ(leading_eigenpairs(matrix, exactly(2), {}).vectors.rows(), 4);
  EXPECT_EQ(leading_eigenpairs(matrix, exactly(0), {}).vectors.rows(), 0);
}

TEST(SymmetricEigen, ZeroMatrix) {
  const EigenPairs pairs = leading_eigenpairs(Array2<double>(4, 4), exactly(2), {});
  EXPECT_EQ(pairs.values, (std::vector<double>(4, 0.0)));
  EXPECT_LT(orthogonality_error(pairs.vectors), 1e-14);
}

TEST(SymmetricEigen, CancelAnswersWhileLapackRuns) {
  std::atomic<bool> cancel = true;
  EXPECT_THROW(leading_eigenpairs(random_symmetric(400, 1), exactly(10), {.cancel = &cancel}), Error);
}

// Any orthonormal basis of a repeated eigenvalue's space ends as the same one.
TEST(Canonicalize, DoesNotDependOnTheBasisOfAGroup) {
  const Array2<double> q = rotation(6, 5);
  const std::vector<double> values{4, 2, 2, 2, 1, 0.5};
  Array2<double> first = q;
  Array2<double> second = q;
  const Array2<double> mix = rotation(3, 9);
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < 6; ++i) {
      second(1 + k, i) = 0;
      for (Index m = 0; m < 3; ++m) second(1 + k, i) += mix(k, m) * q(1 + m, i);
    }
  for (Index i = 0; i < 6; ++i) second(0, i) = -second(0, i);
  canonicalize(values, first);
  canonicalize(values, second);
  EXPECT_LT(relative_difference(second, first), 1e-13);
  EXPECT_LT(orthogonality_error(first), 1e-13);
  EXPECT_LT(subspace_difference(first, q), 1e-13);
}

TEST(Canonicalize, LargestEntryIsPositiveAndTiesGoToTheFirst) {
  Array2<double> v(2, 2);
  const double h = std::sqrt(0.5);
  v(0, 0) = -h, v(0, 1) = h * (1 + 1e-12);  // equal up to rounding: the first entry decides
  v(1, 0) = -0.6, v(1, 1) = -0.8;
  canonicalize({2, 1}, v);
  EXPECT_GT(v(0, 0), 0);
  EXPECT_LT(v(0, 1), 0);
  EXPECT_GT(v(1, 1), 0);
}

TEST(Canonicalize, DistinctSmallValuesAreNotMixed) {
  // 1e-9 and 2e-9 are close on the scale of 1 but not to each other.
  EXPECT_EQ(end_of_group({1, 2e-9, 1e-9}, 1), 2);
  EXPECT_EQ(end_of_group({1, 1 - 1e-10, 0.5}, 0), 2);
  EXPECT_EQ(end_of_group({1, 3e-17, -2e-17}, 1), 3);
}

TEST(CompleteOrthonormal, FillsTheComplement) {
  Array2<double> v(3, 4);
  v(0, 0) = v(0, 1) = std::sqrt(0.5);
  complete_orthonormal(v, 1);
  EXPECT_LT(orthogonality_error(v), 1e-14);
  EXPECT_EQ(v(1, 2), 1);  // the first axis that is wholly outside the span
  EXPECT_EQ(v(2, 3), 1);
}

}  // namespace
}  // namespace unroll
