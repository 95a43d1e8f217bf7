#include "eigen/eigen_problem.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "eigen/operators.h"
#include "linalg/symmetric_eigen.h"
#include "support/eigen_reference.h"
#include "support/expect_error.h"
#include "support/spectra.h"

namespace unroll {
namespace {

class EachSolver : public testing::TestWithParam<EigenSolver> {};
INSTANTIATE_TEST_SUITE_P(EigenProblem, EachSolver, testing::ValuesIn(kEigenSolvers),
                         [](const auto& param) { return std::string(name_of(param.param)); });

TEST_P(EachSolver, Paths) {
  for (const Index n : {5, 10, 60, 300}) {
    expect_spectrum(path_graph(n), 1, false, path_spectrum(n), 3, GetParam());
    expect_spectrum(path_graph(n), 1, true, normalized_path_spectrum(n), 3, GetParam());
  }
}

TEST_P(EachSolver, AZeroMatrixHasZeros) {
  for (const Index n : {3, 30, 200}) {
    Array2<double> known = Array2<double>::uninitialized(1, n);
    std::fill_n(known.data(), n, 1 / std::sqrt(static_cast<double>(n)));
    SparseMatrix zero{.rows = n, .cols = n};
    for (Index i = 0; i < n; ++i) {
      zero.columns.push_back(i);
      zero.values.push_back(0);
      zero.offsets.push_back(i + 1);
    }
    const EigenSolution found = solve_eigenproblem(
        SparseOperator(zero), {.end = SpectrumEnd::Smallest, .count = 2, .known = known, .solver = GetParam()}, {});
    for (const double value : found.values) EXPECT_NEAR(value, 0, 1e-20) << n;
    EXPECT_TRUE(found.tried.empty());
  }
}

// Spectra, the library, dropped one of two equal eigenvalues here (its issue 144).
TEST_P(EachSolver, CyclesHavePairs) {
  for (const Index n : {5, 12, 101, 200}) {
    for (const Index count : {1, 2, 4}) {
      expect_spectrum(cycle_graph(n), 1, false, cycle_spectrum(n, 2), count, GetParam());
      expect_spectrum(cycle_graph(n), 1, true, cycle_spectrum(n, 1), count, GetParam());
    }
  }
}

TEST_P(EachSolver, GridsCompleteGraphsAndStars) {
  expect_spectrum(grid_graph(12, 12), 1, false, grid_spectrum(12, 12), 6, GetParam());
  for (const Index n : {5, 40, 120}) {
    const auto size = static_cast<double>(n);
    expect_spectrum(complete_graph(n), 1, false, repeated({{0, 1}, {size, n - 1}}), 4, GetParam());
    expect_spectrum(complete_graph(n), 1, true, repeated({{0, 1}, {size / (size - 1), n - 1}}), 4, GetParam());
    expect_spectrum(star_graph(n), 1, false, repeated({{0, 1}, {1, n - 2}, {size, 1}}), 3, GetParam());
    expect_spectrum(star_graph(n), 1, true, repeated({{0, 1}, {1, n - 2}, {2, 1}}), 3, GetParam());
  }
  expect_spectrum(bipartite_graph(7, 90), 1, false, repeated({{0, 1}, {7, 89}, {90, 6}, {97, 1}}), 9, GetParam());
}

// Multiplicities far above the width of a block.
TEST_P(EachSolver, CubesHaveBinomialMultiplicities) {
  for (const Index d : {4, 7, 9}) expect_spectrum(cube_graph(d), 1, false, cube_spectrum(d), d + 5, GetParam());
}

// What converges for the inverse must be proven for the matrix, whose norm is larger than any row's.
TEST_P(EachSolver, NormalizedCubes) {
  for (const Index d : {6, 10}) {
    std::vector<double> values = cube_spectrum(d);
    for (double& value : values) value /= static_cast<double>(d);
    for (const Index count : {1, 2, 3, 5}) expect_spectrum(cube_graph(d), 1, true, values, count, GetParam());
  }
}

TEST_P(EachSolver, CopiesRepeatTheSpectrum) {
  constexpr Index kCopies = 12;
  std::vector<std::pair<double, Index>> groups;
  for (const double value : path_spectrum(20)) groups.emplace_back(value, kCopies);
  expect_spectrum(copies(path_graph(20), kCopies), kCopies, false, repeated(groups), 2 * kCopies, GetParam());
}

// scipy #6354: shift-invert at 0 returned one null vector too many.
TEST_P(EachSolver, NullSpaceHasOneVectorPerComponentWhenItIsNotKnown) {
  const Graph graph = copies(cycle_graph(30), 5);
  const SparseOperator a(laplacian(graph, true));
  const EigenProblem problem{.count = 9, .lowest = 0, .highest = 2, .solver = GetParam()};
  const EigenSolution solution = solve_eigenproblem(a, problem, {});
  expect_valid(a, problem, solution);
  const double next = 1 - std::cos(2 * std::numbers::pi / 30);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(solution.values[k], k < 5 ? 0 : next, 1e-12);
}

TEST_P(EachSolver, AllPairsThatAreNotKnown) {
  for (const Index n : {5, 33}) {
    expect_spectrum(path_graph(n), 1, false, path_spectrum(n), n - 1, GetParam());
    expect_spectrum(complete_graph(n), 1, false, repeated({{0, 1}, {static_cast<double>(n), n - 1}}), n - 1,
                    GetParam());
  }
}

// Sizes of more than one block of rows, on graphs that suit the solver.
TEST_P(EachSolver, SameBitsAtAnyThreadCount) {
  const bool by_products = GetParam() == EigenSolver::Lanczos || GetParam() == EigenSolver::Randomized;
  const Graph graph = by_products                              ? cube_graph(13)
                      : GetParam() == EigenSolver::ShiftInvert ? grid_graph(90, 110)
                                                               : grid_graph(20, 21);
  const SparseOperator a(laplacian(graph, true));
  std::optional<EigenSolution> first;
  for (const int threads : {1, 2, 3, 8}) {
    const EigenSolution solution =
        solve_eigenproblem(a, {.count = 3, .lowest = 0, .highest = 2, .solver = GetParam()}, {.threads = threads});
    if (!first) first = solution;
    EXPECT_EQ(solution.vectors, first->vectors) << threads;
    EXPECT_EQ(solution.values, first->values);
    EXPECT_EQ(solution.iterations, first->iterations);
  }
}

// Whichever basis of an eigenvalue's space a solver finds, the canonical one is returned.
TEST(EigenProblem, SolversAgreeVectorByVector) {
  const Graph graph = cycle_graph(150);
  const SparseOperator a(laplacian(graph, true));
  EigenProblem problem{.count = 4, .known = null_vectors(graph, 1, true), .lowest = 0, .highest = 2};
  problem.solver = EigenSolver::Dense;
  const Array2<double> expected = solve_eigenproblem(a, problem, {}).vectors;
  for (const EigenSolver solver : kEigenSolvers) {
    problem.solver = solver;
    EXPECT_LT(relative_difference(solve_eigenproblem(a, problem, {}).vectors, expected), 1e-6) << name_of(solver);
  }
}

/// The smallest pairs of a random graph against those of another solver, by values and subspace.
void expect_agreement(const Graph& graph, bool normalized, Index count, EigenSolver solver,
                      const std::function<ReferencePairs(const Array2<double>&)>& reference) {
  const SparseOperator a(laplacian(graph, normalized));
  const EigenProblem problem{
      .count = count, .known = null_vectors(graph, 1, normalized), .lowest = 0, .solver = solver};
  const EigenSolution solution = solve_eigenproblem(a, problem, {});
  expect_valid(a, problem, solution);
  const ReferencePairs expected = reference(a.dense({}));  // ascending, the null vector first
  Array2<double> vectors(count, graph.size);
  std::copy_n(expected.vectors.row(1), vectors.size(), vectors.data());
  for (std::size_t k = 0; k < solution.values.size(); ++k)
    ASSERT_NEAR(solution.values[k], expected.values[k + 1], 1e-11);
  const auto last = static_cast<std::size_t>(count);
  if (last + 1 == expected.values.size() || expected.values[last + 1] - expected.values[last] >= 1e-4) {
    ASSERT_LT(subspace_difference(solution.vectors, vectors), 1e-5);
  }
}

ReferencePairs pairs_by_lapack(const Array2<double>& matrix) {
  Array2<double> negative = matrix;
  for (Index i = 0; i < negative.size(); ++i) negative.data()[i] = -negative.data()[i];
  EigenPairs pairs = leading_eigenpairs(negative, [](const auto&) { return 10; }, {});
  for (double& value : pairs.values) value = -value;
  return {.values = std::move(pairs.values), .vectors = std::move(pairs.vectors)};
}

// Up to all pairs. Iterative solvers take such a small space whole.
TEST(EigenProblem, AgreesWithEigenOnSmallRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 840; ++seed) {
    const Random random(seed, "size");
    const auto n = static_cast<Index>(4 + random.below(37, 0));
    const auto count = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1), 3));
    SCOPED_TRACE(seed);
    expect_agreement(random_graph(n, random.uniform(2) / 2, seed), random.below(2, 1) == 0, count,
                     kEigenSolvers[seed % 4], pairs_by_eigen);
    if (HasFatalFailure()) return;
  }
}

// Large enough for every solver to iterate and restart.
TEST(EigenProblem, AgreesWithLapackOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const Random random(seed, "larger size");
    const auto n = static_cast<Index>(140 + random.below(60, 0));
    SCOPED_TRACE(seed);
    expect_agreement(random_graph(n, 0.03 + random.uniform(2) / 10, seed), random.below(2, 1) == 0,
                     1 + static_cast<Index>(random.below(4, 3)), kEigenSolvers[seed % 4], pairs_by_lapack);
    if (HasFatalFailure()) return;
  }
}

// uwot #16, umap #771: hours on graphs that nearly fall apart.
TEST(EigenProblem, AWeakBridgeTakesBoundedWork) {
  Graph graph = copies(grid_graph(20, 30), 2);
  graph.edges.push_back({599, 600, 1e-14});
  const SparseOperator a(laplacian(graph, true));
  for (const EigenSolver solver : {EigenSolver::Lanczos, EigenSolver::ShiftInvert, EigenSolver::Auto}) {
    const Watched watched(a);
    const EigenProblem problem{.count = 2, .known = null_vectors(graph, 1, true), .lowest = 0, .solver = solver};
    const EigenSolution solution = solve_eigenproblem(watched, problem, {});
    expect_valid(a, problem, solution);
    EXPECT_NEAR(solution.values[0], 0, 1e-13);
    EXPECT_GT(solution.values[1], 1e-3);
    EXPECT_LT(watched.products, 400);
    for (Index i = 0; i < 1200; ++i)  // the halves, with opposite signs
      EXPECT_EQ(solution.vectors(0, i) > 0, (solution.vectors(0, 0) > 0) == (i < 600));
  }
}

// Of two pairs of close eigenvalues one is equal to rounding and one is not: the one gets its canonical basis, the
// other keeps its eigenvectors, which a canonical basis would mix by more than the tolerance.
TEST(EigenProblem, ACanonicalBasisIsForEqualEigenvaluesOnly) {
  constexpr Index kSize = 20;
  Array2<double> expected(4, kSize), matrix(kSize, kSize);
  std::copy_n(rotation(kSize, 1).data(), expected.size(), expected.data());
  canonicalize({1, 1, 0.5, 0.5, 0}, expected);
  for (Index i = 0; i < kSize; ++i) {  // the last two as far from canonical as can be
    const double sum = expected(2, i) + expected(3, i), difference = expected(2, i) - expected(3, i);
    expected(2, i) = sum / std::sqrt(2), expected(3, i) = difference / std::sqrt(2);
  }
  canonicalize_signs(expected);
  const std::vector<double> values{1, 1, 0.5 + 4e-9, 0.5};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double* v = expected.row(static_cast<Index>(k));
    for (Index i = 0; i < kSize; ++i)
      for (Index j = 0; j < kSize; ++j) matrix(i, j) += values[k] * v[i] * v[j];
  }
  const EigenProblem problem{.end = SpectrumEnd::Largest, .count = 4};
  const EigenSolution solution = solve_eigenproblem(DenseOperator(matrix), problem, {});
  EXPECT_LT(relative_difference(solution.vectors, expected), 1e-5);
  for (const double residual : solution.residuals) EXPECT_LE(residual, 1e-12);
}

/// A matrix whose products fail.
class Refusing : public SymmetricOperator {
 public:
  Index size() const override { return 2000; }
  void apply(const Array2<double>&, Array2<double>&, const unroll::Run&) const override {
    throw Error(ErrorKind::Unsupported, "too many rows", "use fewer");
  }
  double cost() const override { return 1; }
};

TEST(EigenProblem, WhatIsNotSupportedIsNoReasonToTryTheNextSolver) {
  expect_error(ErrorKind::Unsupported, "too many rows; use fewer", [] { solve_eigenproblem(Refusing(), {}, {}); });
}

TEST(EigenProblem, ZeroMatrix) {
  for (const EigenSolver solver : kEigenSolvers) {
    SparseMatrix zero{.rows = 100, .cols = 100, .offsets = std::vector<Index>(101)};
    const SparseOperator a(std::move(zero));
    const EigenProblem problem{.count = 3, .solver = solver};
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    expect_valid(a, problem, solution);
    for (const double value : solution.values) EXPECT_NEAR(value, 0, 1e-15);
  }
}

}  // namespace
}  // namespace unroll
