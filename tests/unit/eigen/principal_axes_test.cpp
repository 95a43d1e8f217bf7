#include "eigen/principal_axes.h"

#include <gtest/gtest.h>

#include "eigen/block_krylov.h"
#include "support/matrices.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

PrincipalAxes axes_of(const Array2<double>& x, double wanted, AxesSolver solver, const Run& run = {}) {
  return principal_axes(centered(x, run), {wanted}, solver, 0, run);
}

TEST(PrincipalAxes, TheThreeSolversAgree) {
  for (const auto& x : {anisotropic_points(400, 60, 1), anisotropic_points(60, 400, 2)}) {
    const PrincipalAxes expected = axes_of(x, 5, AxesSolver::Covariance);
    EXPECT_LT(orthogonality_error(expected.axes), 1e-13);
    for (const AxesSolver solver : {AxesSolver::Gram, AxesSolver::Randomized}) {
      const PrincipalAxes axes = axes_of(x, 5, solver);
      EXPECT_EQ(axes.solver, solver);
      EXPECT_LT(relative_difference(axes.axes, expected.axes), 1e-6);
      EXPECT_LT(subspace_difference(axes.axes, expected.axes), 1e-6);
      EXPECT_LT(orthogonality_error(axes.axes), 1e-12);
      EXPECT_NEAR(axes.total / expected.total, 1, 1e-12);
      for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(axes.values[k] / expected.values[k], 1, 1e-12);
      for (const double residual : axes.residuals) EXPECT_LE(residual, 1e-8);
    }
  }
}

// A feature ten thousand times larger than the others must not make their directions look converged.
TEST(PrincipalAxes, ADominatingFeatureDoesNotHideTheOthers) {
  Array2<double> x = anisotropic_points(600, 601, 7);
  for (Index i = 0; i < x.rows(); ++i) x(i, 300) = 1e4 * x(i, 0) + x(i, 300);
  const PrincipalAxes expected = axes_of(x, 5, AxesSolver::Covariance);
  for (const AxesSolver solver : {AxesSolver::Auto, AxesSolver::Gram, AxesSolver::Randomized}) {
    const PrincipalAxes axes = axes_of(x, 5, solver);
    // Errors of eps * lambda_1 are 1e-6 of lambda_5.
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_NEAR(axes.values[k] / expected.values[k], 1, 1e-5) << name_of(solver) << k;
  }
}

// Standard deviations 1e6, 1 and 0.5 in 10^5 points: small, but not rounding.
TEST(PrincipalAxes, SmallVariancesAreNotTakenForRounding) {
  Array2<double> x = normal_matrix(100000, 3, 8);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) *= 1e6, x(i, 2) *= 0.5;
  const CenteredPoints z = centered(x, {});
  const PrincipalAxes axes = principal_axes(z, {3}, AxesSolver::Covariance, 0, {});
  EXPECT_EQ(axes.rank, 3);
  EXPECT_NEAR(axes.values[1] / (z.scale * z.scale) / 99999, 1, 0.02);
  EXPECT_NEAR(axes.values[2] / (z.scale * z.scale) / 99999, 0.25, 0.005);
}

TEST(PrincipalAxes, AFractionNeedsAllEigenvalues) {
  try {
    axes_of(normal_matrix(50, 40, 1), 0.9, AxesSolver::Randomized);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidOption);
  }
}

TEST(PrincipalAxes, AutoFollowsTheSizes) {
  EXPECT_EQ(axes_of(normal_matrix(200, 10, 1), 2, AxesSolver::Auto).solver, AxesSolver::Covariance);
  EXPECT_EQ(axes_of(normal_matrix(10, 200, 1), 2, AxesSolver::Auto).solver, AxesSolver::Gram);
  EXPECT_EQ(axes_of(anisotropic_points(1500, 1500, 1), 2, AxesSolver::Auto).solver, AxesSolver::Randomized);
}

void expect_axes_of_ten_points(Index dimensions) {
  const Array2<double> x = normal_matrix(10, dimensions, 3);
  const PrincipalAxes axes = axes_of(x, 9, AxesSolver::Auto);
  EXPECT_EQ(axes.solver, AxesSolver::Gram);
  EXPECT_EQ(axes.rank, 9);
  EXPECT_EQ(axes.axes.cols(), dimensions);
}
TEST(PrincipalAxes, TenPointsInManyDimensions) { expect_axes_of_ten_points(50'000); }
TEST(PrincipalAxesSlow, TenPointsInAMillionDimensions) { expect_axes_of_ten_points(1'000'000); }

TEST(PrincipalAxes, FractionOfTheTotal) {
  Array2<double> x(4, 2);  // variances 4 : 1 along the axes
  x(0, 0) = 2, x(1, 0) = -2, x(2, 1) = 1, x(3, 1) = -1;
  for (const AxesSolver solver : {AxesSolver::Covariance, AxesSolver::Gram}) {
    EXPECT_EQ(axes_of(x, 0.5, solver).axes.rows(), 1);
    EXPECT_EQ(axes_of(x, 0.8, solver).axes.rows(), 1);
    EXPECT_EQ(axes_of(x, 0.81, solver).axes.rows(), 2);
  }
}

TEST(PrincipalAxes, RankDeficientDataGetAnOrthonormalBasisAllTheSame) {
  Array2<double> x(6, 5);
  for (Index i = 0; i < 6; ++i) x(i, 0) = static_cast<double>(i), x(i, 1) = 2 * x(i, 0);
  for (const AxesSolver solver : {AxesSolver::Covariance, AxesSolver::Gram, AxesSolver::Randomized}) {
    const PrincipalAxes axes = axes_of(x, 3, solver);
    EXPECT_EQ(axes.rank, 1);
    EXPECT_EQ(axes.values[1], 0);
    EXPECT_LT(orthogonality_error(axes.axes), 1e-13);
    EXPECT_NEAR(axes.axes(0, 1) / axes.axes(0, 0), 2, 1e-12);
  }
}

// The 2^d corners of a cube have d equal variances: any basis is right, ours is always the coordinate axes.
TEST(PrincipalAxes, EqualVariancesGiveTheCanonicalBasis) {
  Array2<double> x(16, 4);
  for (Index i = 0; i < 16; ++i)
    for (Index j = 0; j < 4; ++j) x(i, j) = ((i >> j) & 1) != 0 ? 1 : -1;
  for (const AxesSolver solver : {AxesSolver::Covariance, AxesSolver::Gram, AxesSolver::Randomized}) {
    const PrincipalAxes axes = axes_of(x, 2, solver);
    for (Index k = 0; k < 2; ++k)
      for (Index j = 0; j < 4; ++j) EXPECT_NEAR(axes.axes(k, j), k == j ? 1 : 0, 1e-12);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(axes.values[k] * std::pow(centered(x, {}).scale, -2), 16, 1e-11);
  }
}

TEST(PrincipalAxes, OverBudgetIsRefusedWithTheWayOut) {
  const unroll::Run small{.memory_budget = 1000};
  try {
    axes_of(normal_matrix(50, 40, 1), 2, AxesSolver::Covariance, small);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
    EXPECT_NE(std::string(error.what()).find("solver=randomized"), std::string::npos) << error.what();
  }
}

TEST(BlockKrylov, SaysHowManyConverged) {
  const Array2<double> x = normal_matrix(300, 300, 4);  // a flat spectrum, and one pass only
  const Apply apply = [&](const Array2<double>& q) { return product(q, product(transposed(x), x)); };
  try {
    leading_by_block_krylov(300, 5, apply, Random(0, "t"), 1, {});
    FAIL() << "not detected";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::NotConverged);
    EXPECT_NE(std::string(error.what()).find("0 of 5"), std::string::npos) << error.what();
  }
  EXPECT_GE(leading_by_block_krylov(300, 5, apply, Random(0, "t"), 200, {}).residuals.size(), 5U);
}

TEST(BlockKrylov, FindsRepeatedEigenvaluesCompletely) {
  // diag(3 x5, 2 x5, 1 ...): a single start vector would see each value once.
  const Apply apply = [](const Array2<double>& q) {
    Array2<double> y = q;
    for (Index k = 0; k < q.rows(); ++k)
      for (Index j = 0; j < q.cols(); ++j) y(k, j) *= j < 5 ? 3 : j < 10 ? 2 : 1.0 / static_cast<double>(j);
    return y;
  };
  const EigenPairs pairs = leading_by_block_krylov(200, 10, apply, Random(1, "t"), 100, {});
  for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(pairs.values[k], k < 5 ? 3 : 2, 1e-12);
}

}  // namespace
}  // namespace unroll
