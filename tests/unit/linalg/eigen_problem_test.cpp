#include "linalg/eigen_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <atomic>
#include <bit>
#include <limits>
#include <numbers>

#include "linalg/operators.h"
#include "support/expect_error.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "unroll/core/eigen.h"

namespace unroll {
namespace {

constexpr double kPi = std::numbers::pi;
const std::vector<EigenSolver> kSolvers{EigenSolver::Dense, EigenSolver::Lanczos, EigenSolver::ShiftInvert,
                                        EigenSolver::Randomized};

/// Spectra as formulas, ascending.
std::vector<double> spectrum(Index n, const std::function<double(Index)>& value) {
  std::vector<double> values;
  for (Index k = 0; k < n; ++k) values.push_back(value(k));
  std::sort(values.begin(), values.end());
  return values;
}
std::vector<double> path_spectrum(Index n) {
  return spectrum(n, [&](Index k) { return 2 - 2 * std::cos(kPi * static_cast<double>(k) / static_cast<double>(n)); });
}
std::vector<double> normalized_path_spectrum(Index n) {
  return spectrum(n, [&](Index k) { return 1 - std::cos(kPi * static_cast<double>(k) / static_cast<double>(n - 1)); });
}
std::vector<double> cycle_spectrum(Index n, double scale) {
  return spectrum(
      n, [&](Index k) { return scale * (1 - std::cos(2 * kPi * static_cast<double>(k) / static_cast<double>(n))); });
}
std::vector<double> grid_spectrum(Index a, Index b) {
  const std::vector<double> rows = path_spectrum(a), cols = path_spectrum(b);
  return spectrum(
      a * b, [&](Index k) { return rows[static_cast<std::size_t>(k / b)] + cols[static_cast<std::size_t>(k % b)]; });
}
std::vector<double> cube_spectrum(Index d) {
  return spectrum(Index{1} << d, [](Index k) { return 2.0 * std::popcount(static_cast<std::uint64_t>(k)); });
}
/// The values, each so many times.
std::vector<double> repeated(const std::vector<std::pair<double, Index>>& groups) {
  std::vector<double> values;
  for (const auto& [value, count] : groups) values.insert(values.end(), static_cast<std::size_t>(count), value);
  return values;
}

/// Whatever a solution must satisfy, besides the right values.
void expect_valid(const SymmetricOperator& a, const EigenProblem& problem, const EigenSolution& solution) {
  ASSERT_EQ(std::ssize(solution.values), problem.count);
  ASSERT_EQ(std::ssize(solution.residuals), problem.count);
  ASSERT_EQ(solution.vectors.rows(), problem.count);
  ASSERT_EQ(solution.vectors.cols(), a.size());
  for (const double residual : solution.residuals) EXPECT_LE(residual, problem.tolerance);
  for (Index k = 1; k < problem.count; ++k) {
    const double step = solution.values[static_cast<std::size_t>(k)] - solution.values[static_cast<std::size_t>(k - 1)];
    EXPECT_GE(problem.end == SpectrumEnd::Smallest ? step : -step, -1e-12);
  }
  EXPECT_LT(orthogonality_error(solution.vectors), 1e-10);
  if (problem.known.rows() == 0) return;
  EXPECT_LT(max_abs(product(solution.vectors, transposed(problem.known))), 1e-10);
}

/// The smallest pairs beyond the null space and the largest ones, against the whole spectrum in ascending order.
void expect_spectrum(const Graph& graph, Index components, bool normalized, const std::vector<double>& all, Index count,
                     EigenSolver solver) {
  const SparseOperator a(laplacian(graph, normalized));
  ASSERT_EQ(std::ssize(all), a.size());
  EigenProblem problem{.count = count,
                       .known = null_vectors(graph, components, normalized),
                       .lowest = 0,
                       .highest = normalized ? std::optional<double>(2) : std::nullopt,
                       .solver = solver};
  for (const SpectrumEnd end : {SpectrumEnd::Smallest, SpectrumEnd::Largest}) {
    problem.end = end;
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    EXPECT_EQ(solution.solver, solver);
    expect_valid(a, problem, solution);
    for (Index k = 0; k < count; ++k) {
      const double expected = end == SpectrumEnd::Smallest ? all[static_cast<std::size_t>(components + k)]
                                                           : all[all.size() - 1 - static_cast<std::size_t>(k)];
      EXPECT_NEAR(solution.values[static_cast<std::size_t>(k)], expected, 1e-11 * all.back())
          << name_of(solver) << ", n = " << graph.size << ", pair " << k;
    }
  }
}

class EachSolver : public testing::TestWithParam<EigenSolver> {};
INSTANTIATE_TEST_SUITE_P(EigenProblem, EachSolver, testing::ValuesIn(kSolvers),
                         [](const auto& param) { return std::string(name_of(param.param)); });

TEST_P(EachSolver, Paths) {
  for (const Index n : {5, 10, 60, 300}) {
    expect_spectrum(path_graph(n), 1, false, path_spectrum(n), 3, GetParam());
    expect_spectrum(path_graph(n), 1, true, normalized_path_spectrum(n), 3, GetParam());
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
  const double next = 1 - std::cos(2 * kPi / 30);
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
  for (const EigenSolver solver : kSolvers) {
    problem.solver = solver;
    EXPECT_LT(relative_difference(solve_eigenproblem(a, problem, {}).vectors, expected), 1e-6) << name_of(solver);
  }
}

// Eigen's dense solver is an independent implementation.
TEST(EigenProblem, AgreesWithADenseSolverOnRandomGraphs) {
  constexpr std::uint64_t kGraphs = 1000;
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    const Random random(seed, "size");
    const auto n = static_cast<Index>(4 + random.below(37, 0));
    const bool normalized = random.below(2, 1) == 0;
    const Graph graph = random_graph(n, random.uniform(2) / 2, seed);
    const SparseOperator a(laplacian(graph, normalized));
    const Eigen::SelfAdjointEigenSolver<RowMajor<double>> expected(as_eigen(a.dense({})));
    EigenProblem problem{.known = null_vectors(graph, 1, normalized), .lowest = 0, .solver = kSolvers[seed % 4]};
    problem.count = 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1), 3));
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    expect_valid(a, problem, solution);
    Array2<double> vectors(problem.count, n);
    for (Index k = 0; k < problem.count; ++k) {
      ASSERT_NEAR(solution.values[static_cast<std::size_t>(k)], expected.eigenvalues()[k + 1], 1e-11) << seed;
      for (Index i = 0; i < n; ++i) vectors(k, i) = expected.eigenvectors()(i, k + 1);
    }
    const bool is_cut = problem.count < n - 1 &&
                        expected.eigenvalues()[problem.count + 1] - expected.eigenvalues()[problem.count] < 1e-4;
    if (!is_cut) {
      ASSERT_LT(subspace_difference(solution.vectors, vectors), 1e-5) << seed << name_of(problem.solver);
    }
  }
}

TEST(EigenProblem, LargePathByShiftInvert) {
  expect_spectrum(path_graph(100'000), 1, false, path_spectrum(100'000), 3, EigenSolver::ShiftInvert);
}
TEST(EigenProblem, LargeGridByShiftInvert) {
  expect_spectrum(grid_graph(150, 155), 1, false, grid_spectrum(150, 155), 3, EigenSolver::ShiftInvert);
}
TEST(EigenProblem, LargeStars) {
  const std::vector<double> star = repeated({{0, 1}, {1, 99'998}, {100'000, 1}});
  expect_spectrum(star_graph(100'000), 1, false, star, 2, EigenSolver::Lanczos);
  expect_spectrum(star_graph(100'000), 1, false, star, 2, EigenSolver::ShiftInvert);
}
TEST(EigenProblem, LargeCubeByLanczos) {
  expect_spectrum(cube_graph(12), 1, false, cube_spectrum(12), 4, EigenSolver::Lanczos);
}

// Eigenvalues of 1e-11 of the norm keep their digits: a tolerance on the scale of the norm would not ask for one.
TEST(EigenProblem, ShiftInvertOnALongPath) {
  constexpr Index kSize = 300'000;
  const Graph graph = path_graph(kSize);
  const SparseOperator a(laplacian(graph, true));
  const EigenProblem problem{.count = 3, .known = null_vectors(graph, 1, true), .lowest = 0, .highest = 2};
  const EigenSolution solution = solve_eigenproblem(a, problem, {});
  EXPECT_EQ(solution.solver, EigenSolver::ShiftInvert);
  for (Index k = 1; k <= 3; ++k) {
    const double half = std::sin(kPi * static_cast<double>(k) / 2 / static_cast<double>(kSize - 1));
    EXPECT_NEAR(solution.values[static_cast<std::size_t>(k - 1)] / (2 * half * half), 1, 1e-3);
  }
  expect_valid(a, problem, solution);
}

/// Counts products and can spoil them.
class Watched : public SymmetricOperator {
 public:
  explicit Watched(const SymmetricOperator& a, Index healthy = 1'000'000) : a_(a), healthy_(healthy) {}
  Index size() const override { return a_.size(); }
  void apply(const Array2<double>& x, Array2<double>& y, const Run& run) const override {
    a_.apply(x, y, run);
    ++products;
    if (products > healthy_ || products <= sick_at_first) y(y.rows() / 2, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  const SparseMatrix* sparse() const override { return shows_matrix ? a_.sparse() : nullptr; }
  double cost() const override { return a_.cost(); }

  mutable Index products = 0;
  Index sick_at_first = 0;
  bool shows_matrix = true;

 private:
  const SymmetricOperator& a_;
  Index healthy_;
};

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

// The matrix of classical scaling of hop distances on a ring is indefinite, and its largest eigenvalue in magnitude may
// be negative: what is wanted is the algebraic end.
TEST(EigenProblem, IndefiniteDenseMatrices) {
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

TEST(EigenProblem, ZeroMatrix) {
  for (const EigenSolver solver : kSolvers) {
    SparseMatrix zero{.rows = 100, .cols = 100, .offsets = std::vector<Index>(101)};
    const SparseOperator a(std::move(zero));
    const EigenProblem problem{.count = 3, .solver = solver};
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    expect_valid(a, problem, solution);
    for (const double value : solution.values) EXPECT_NEAR(value, 0, 1e-15);
  }
}

// The links of the chain, each broken in turn.
class FallBack : public testing::Test {
 protected:
  FallBack() : graph_(grid_graph(33, 30)), a_(laplacian(graph_, true)) {}
  EigenProblem problem() const { return {.count = 2, .known = null_vectors(graph_, 1, true), .lowest = 0}; }

  Graph graph_;
  SparseOperator a_;
};

TEST_F(FallBack, NothingFails) {
  const EigenSolution solution = solve_eigenproblem(a_, problem(), {});
  EXPECT_EQ(solution.solver, EigenSolver::ShiftInvert);
  EXPECT_TRUE(solution.tried.empty());
}

TEST_F(FallBack, AFactorAboveTheLimitIsNotTried) {
  EigenProblem limited = problem();
  limited.max_factor_gib = 1e-9;
  const EigenSolution solution = solve_eigenproblem(a_, limited, {});
  EXPECT_EQ(solution.solver, EigenSolver::Lanczos);
  expect_valid(a_, limited, solution);
  limited.solver = EigenSolver::ShiftInvert;
  expect_error(ErrorKind::NotConverged, "GiB", [&] { solve_eigenproblem(a_, limited, {}); });
}

/// Shows another matrix for factorisation than it multiplies with.
class Mistaken : public Watched {
 public:
  Mistaken(const SymmetricOperator& a, SparseMatrix shown, Index healthy = 1'000'000)
      : Watched(a, healthy), shown_(std::move(shown)) {}
  const SparseMatrix* sparse() const override { return &shown_; }

 private:
  SparseMatrix shown_;
};

SparseMatrix with_first_value(SparseMatrix matrix, double value) {
  matrix.values.front() = value;
  return matrix;
}

TEST_F(FallBack, ProductsThatAreNotThoseOfTheFactor) {
  const Mistaken a(a_, laplacian(cycle_graph(990), true));
  const EigenSolution solution = solve_eigenproblem(a, problem(), {});
  EXPECT_EQ(solution.solver, EigenSolver::Lanczos);
  ASSERT_EQ(solution.tried.size(), 1U);
  EXPECT_NE(solution.tried[0].find("shift_invert: 0 of 2 pairs are proven"), std::string::npos) << solution.tried[0];
  expect_valid(a_, problem(), solution);
}

TEST_F(FallBack, AFactorThatIsNotANumber) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Mistaken a(a_, with_first_value(*a_.sparse(), bad));
    const EigenSolution solution = solve_eigenproblem(a, problem(), {});
    EXPECT_EQ(solution.solver, EigenSolver::Lanczos);
    EXPECT_EQ(solution.tried.size(), 1U);
    expect_valid(a_, problem(), solution);
  }
}

// A bound that does not hold: the factorisation notices, and the certain bound of Gershgorin takes its place.
TEST_F(FallBack, ABoundThatDoesNotHold) {
  EigenProblem wrong = problem();
  wrong.lowest = 0.5;
  wrong.solver = EigenSolver::ShiftInvert;
  const EigenSolution solution = solve_eigenproblem(a_, wrong, {});
  expect_valid(a_, wrong, solution);
  EXPECT_NEAR(solution.values[0], solve_eigenproblem(a_, problem(), {}).values[0], 1e-12);
}

TEST_F(FallBack, ProductsThatTurnToNaN) {
  // The factor is right, but the proof and Lanczos use products: all fail, and so does the dense matrix from products.
  const Watched sick(a_, 0);
  expect_error(ErrorKind::NotConverged, "lanczos: product 1 with the matrix is not finite",
               [&] { solve_eigenproblem(sick, problem(), {}); });
  expect_error(ErrorKind::NotConverged, "dense: the matrix has entries that are not finite",
               [&] { solve_eigenproblem(sick, problem(), {}); });
  Watched later(a_, 5);
  later.shows_matrix = false;
  for (const EigenSolver solver : {EigenSolver::Lanczos, EigenSolver::Randomized}) {
    EigenProblem chosen = problem();
    chosen.solver = solver;
    expect_error(ErrorKind::NotConverged, "not finite", [&] { solve_eigenproblem(later, chosen, {}); });
  }
}

// Two products prove, or not, what shift-invert found; the third is the first of Lanczos.
TEST_F(FallBack, TheDenseSolverIsTheLastResort) {
  Watched a(a_);
  a.sick_at_first = 3;
  const EigenSolution solution = solve_eigenproblem(a, problem(), {});
  EXPECT_EQ(solution.solver, EigenSolver::Dense);
  ASSERT_EQ(solution.tried.size(), 2U);
  EXPECT_EQ(solution.tried[0].rfind("shift_invert: 0 of 2 pairs are proven", 0), 0U) << solution.tried[0];
  EXPECT_EQ(solution.tried[1].rfind("lanczos: product 1", 0), 0U) << solution.tried[1];
  expect_valid(a_, problem(), solution);
}

TEST_F(FallBack, LanczosFollowsRandomized) {
  Watched a(a_);
  a.sick_at_first = 1;
  a.shows_matrix = false;
  const EigenProblem largest{.end = SpectrumEnd::Largest, .count = 2};
  const EigenSolution solution = solve_eigenproblem(a, largest, {});
  EXPECT_EQ(solution.solver, EigenSolver::Lanczos);
  ASSERT_EQ(solution.tried.size(), 1U);
  EXPECT_EQ(solution.tried[0].rfind("randomized: product 1", 0), 0U) << solution.tried[0];
  expect_valid(a_, largest, solution);
}

TEST_F(FallBack, AnExplicitChoiceIsObeyed) {
  for (const EigenSolver solver : kSolvers) {
    EigenProblem chosen = problem();
    chosen.solver = solver;
    EXPECT_EQ(solve_eigenproblem(a_, chosen, {}).solver, solver);
  }
  const DenseOperator dense(a_.dense({}));
  EigenProblem chosen = problem();
  chosen.solver = EigenSolver::ShiftInvert;
  expect_error(ErrorKind::Unsupported, "needs a sparse matrix", [&] { solve_eigenproblem(dense, chosen, {}); });
}

TEST_F(FallBack, TooManyAreAskedFor) {
  EigenProblem greedy = problem();
  greedy.count = 990;
  expect_error(ErrorKind::InvalidOption, "has 989 more", [&] { solve_eigenproblem(a_, greedy, {}); });
  greedy.count = 0;
  EXPECT_EQ(solve_eigenproblem(a_, greedy, {}).vectors.rows(), 0);
}

TEST_F(FallBack, MemoryIsPlannedAndCancelIsHeard) {
  expect_error(ErrorKind::OutOfMemory, "use solver=lanczos",
               [&] { solve_eigenproblem(a_, problem(), {.memory_budget = 1000}); });
  std::atomic<bool> cancel = true;
  for (const EigenSolver solver : kSolvers) {
    EigenProblem chosen = problem();
    chosen.solver = solver;
    expect_error(ErrorKind::Cancelled, "", [&] { solve_eigenproblem(a_, chosen, {.cancel = &cancel}); });
  }
}

}  // namespace
}  // namespace unroll
