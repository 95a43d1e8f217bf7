#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "support/spectra.h"

namespace unroll {
namespace {

/// The values beyond the null space are right in their leading digits. (A tolerance on the scale of the norm would not
/// ask for one: they are 1e-11 of it.)
void expect_smallest(const Graph& graph, Index components, const std::vector<double>& expected, double accuracy) {
  const SparseOperator a(laplacian(graph, false));
  const EigenProblem problem{
      .count = std::ssize(expected), .known = null_vectors(graph, components, false), .lowest = 0};
  const EigenSolution solution = solve_eigenproblem(a, problem, {});
  EXPECT_EQ(solution.solver, EigenSolver::ShiftInvert);
  expect_valid(a, problem, solution);
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(solution.values[k] / expected[k], 1, accuracy) << "pair " << k;
}

/// Eigenvalue k of a path; the form with the square loses no digits.
double path_value(Index n, int k) {
  const double half = std::sin(std::numbers::pi * k / (2 * static_cast<double>(n)));
  return 4 * half * half;
}

void expect_path(Index size) { expect_smallest(path_graph(size), 1, {path_value(size, 1), path_value(size, 2)}, 1e-3); }
TEST(EigenLarge, Path) { expect_path(50'000); }
TEST(EigenLargeSlow, PathOfAMillion) { expect_path(1'000'000); }

void expect_grid(Index length) {  // of width 50, whose values come later
  expect_smallest(grid_graph(50, length), 1, {path_value(length, 1), path_value(length, 2)}, 1e-5);
}
TEST(EigenLarge, Grid) { expect_grid(1000); }
TEST(EigenLargeSlow, GridOfAMillion) { expect_grid(20'000); }

TEST(EigenLarge, CopiesOfAPath) {
  constexpr Index kSize = 10'000, kCopies = 5;
  std::vector<double> expected(2 * kCopies, path_value(kSize, 2));
  std::fill_n(expected.begin(), kCopies, path_value(kSize, 1));
  expect_smallest(copies(path_graph(kSize), kCopies), kCopies, expected, 1e-6);
}

TEST(EigenLarge, BothEndsOfAPath) {
  expect_spectrum(path_graph(30'000), 1, false, path_spectrum(30'000), 3, EigenSolver::ShiftInvert);
}
TEST(EigenLarge, BothEndsOfAGrid) {
  expect_spectrum(grid_graph(150, 155), 1, false, grid_spectrum(150, 155), 3, EigenSolver::ShiftInvert);
}
TEST(EigenLarge, Stars) {
  const std::vector<double> star = repeated({{0, 1}, {1, 29'998}, {30'000, 1}});
  expect_spectrum(star_graph(30'000), 1, false, star, 2, EigenSolver::Lanczos);
  expect_spectrum(star_graph(30'000), 1, false, star, 2, EigenSolver::ShiftInvert);
}
TEST(EigenLarge, CubeByLanczos) {
  expect_spectrum(cube_graph(12), 1, false, cube_spectrum(12), 4, EigenSolver::Lanczos);
}

// The largest eigenvalue in magnitude may be negative: what is wanted is the algebraic end.
TEST(EigenLarge, IndefiniteDenseMatrices) {
  const Index n = 900;
  std::vector<double> values(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = std::cos(static_cast<double>(i));
  values[5] = -50, values[6] = 20, values[7] = 10, values[8] = 10;
  // A = H diag(values) H with the reflection H = I - u u^T, |u|^2 = 2.
  Array2<double> u = normal_matrix(1, n, 3), h(n, n), matrix(n, n);
  const double length = std::sqrt(product(u, transposed(u))(0, 0) / 2);
  for (Index i = 0; i < n; ++i) u(0, i) /= length;
  double middle = 0;  // u^T diag(values) u
  for (Index i = 0; i < n; ++i) middle += values[static_cast<std::size_t>(i)] * u(0, i) * u(0, i);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double at_i = values[static_cast<std::size_t>(i)], at_j = values[static_cast<std::size_t>(j)];
      h(i, j) = (i == j ? 1 : 0) - u(0, i) * u(0, j);
      matrix(i, j) = (i == j ? at_i : 0) + (middle - at_i - at_j) * u(0, i) * u(0, j);
    }
  const DenseOperator a(std::move(matrix));
  for (const EigenSolver solver : {EigenSolver::Auto, EigenSolver::Lanczos, EigenSolver::Dense}) {
    const EigenProblem problem{.end = SpectrumEnd::Largest, .count = 3, .solver = solver};
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    expect_valid(a, problem, solution);
    EXPECT_EQ(solution.solver, solver == EigenSolver::Auto ? EigenSolver::Randomized : solver);
    EXPECT_NEAR(solution.values[0], 20, 1e-10);
    EXPECT_NEAR(solution.values[1], 10, 1e-10);
    EXPECT_NEAR(solution.values[2], 10, 1e-10);
    Array2<double> expected(3, n);
    std::copy_n(h.row(6), 3 * n, expected.data());
    EXPECT_LT(subspace_difference(solution.vectors, expected), 1e-8);
  }
}

// Isomap on a ring: J W J with W = -d^2 / 2 of the lengths around it is a circulant matrix, whose eigenvalues are sums
// of cosines: about n^3 / (2 pi k)^2 twice for odd k, and as much below zero for even k. Of ten wanted ones eight are
// smaller than the largest negative one.
TEST(EigenLarge, ClassicalScalingOfARing) {
  constexpr Index kSize = 3000;
  std::vector<double> entry;
  double mean = 0;
  for (Index j = 0; j < kSize; ++j) {
    const auto distance = static_cast<double>(std::min(j, kSize - j));
    entry.push_back(-distance * distance / 2);
    mean += entry.back() / kSize;
  }
  for (double& value : entry) value -= mean;
  Array2<double> matrix = Array2<double>::uninitialized(kSize, kSize);
  for (Index i = 0; i < kSize; ++i)
    for (Index j = 0; j < kSize; ++j) matrix(i, j) = entry[static_cast<std::size_t>(std::abs(i - j))];
  const DenseOperator a(std::move(matrix));
  const auto angle = [](Index k, Index j) {
    return 2 * std::numbers::pi * static_cast<double>(k * j % kSize) / static_cast<double>(kSize);
  };
  for (const Index count : {2, 10}) {
    std::vector<double> values;
    Array2<double> vectors(count, kSize);
    for (Index k = 1; std::ssize(values) < count; k += 2) {
      double value = 0;
      for (Index j = 0; j < kSize; ++j) {
        value += entry[static_cast<std::size_t>(j)] * std::cos(angle(k, j));
        vectors(k - 1, j) = std::sqrt(2.0 / kSize) * std::cos(angle(k, j));
        vectors(k, j) = std::sqrt(2.0 / kSize) * std::sin(angle(k, j));
      }
      values.insert(values.end(), 2, value);
    }
    for (const EigenSolver solver : {EigenSolver::Auto, EigenSolver::Randomized}) {
      const EigenProblem problem{.end = SpectrumEnd::Largest, .count = count, .solver = solver};
      const EigenSolution solution = solve_eigenproblem(a, problem, {});
      expect_valid(a, problem, solution);
      EXPECT_EQ(solution.solver, EigenSolver::Randomized);
      EXPECT_TRUE(solution.tried.empty());
      for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_NEAR(solution.values[k], values[k], 1e-10 * values[0]) << "pair " << k;
      // The cosines between the two spaces are one.
      EXPECT_LT(orthogonality_error(product(vectors, transposed(solution.vectors))), 1e-12);
    }
  }
}

}  // namespace
}  // namespace unroll
