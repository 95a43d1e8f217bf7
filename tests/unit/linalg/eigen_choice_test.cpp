#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "eigen/eigen_problem.h"
#include "eigen/operators.h"
#include "sparse/sparse_cholesky.h"
#include "support/expect_error.h"
#include "support/spectra.h"

namespace unroll {
namespace {

// What the pattern costs to factorise is counted, not guessed: separators are small in a grid and large in a cube.
TEST(EigenChoice, TheSymbolicAnalysisDecides) {
  for (const auto& [graph, expected] :
       {std::pair{grid_graph(60, 130), EigenSolver::ShiftInvert}, std::pair{cube_graph(13), EigenSolver::Lanczos}}) {
    const SparseOperator a(laplacian(graph, true));
    const EigenProblem problem{.count = 2, .known = null_vectors(graph, 1, true), .lowest = 0, .dimension = 5};
    const EigenSolution solution = solve_eigenproblem(a, problem, {});
    EXPECT_EQ(solution.solver, expected) << graph.size;
    EXPECT_TRUE(solution.tried.empty());
    expect_valid(a, problem, solution);
  }
}

TEST(EigenChoice, TheDimensionDecides) {
  const Graph graph = grid_graph(30, 40);
  const SparseOperator a(laplacian(graph, true));
  EigenProblem problem{.count = 2, .known = null_vectors(graph, 1, true), .lowest = 0, .highest = 2};
  for (const auto& [dimension, expected] :
       {std::pair{1.2, EigenSolver::ShiftInvert}, std::pair{2.0, EigenSolver::ShiftInvert},
        std::pair{10.0, EigenSolver::Lanczos}}) {
    problem.dimension = dimension;
    EXPECT_EQ(solve_eigenproblem(a, problem, {}).solver, expected) << dimension;
  }
}

TEST(EigenChoice, SmallMatricesAndLargeSharesAreDense) {
  for (const auto& [n, count] : {std::pair<Index, Index>{200, 2}, std::pair<Index, Index>{900, 300}}) {
    const SparseOperator a(laplacian(path_graph(n), true));
    EXPECT_EQ(solve_eigenproblem(a, {.count = count}, {}).solver, EigenSolver::Dense) << n;
  }
}

// Randomised iteration is for spectra that decay; the low end of a path is the opposite.
TEST(EigenChoice, WorkIsCapped) {
  const SparseOperator path(laplacian(path_graph(3000), true));
  const Watched a(path);
  expect_error(ErrorKind::NotConverged, "randomized: 0 of 2 pairs converged within 200 products",
               [&] { solve_eigenproblem(a, {.count = 2, .solver = EigenSolver::Randomized}, {}); });
  EXPECT_EQ(a.products, 200);
  // The residual alone may be below the tolerance where the gap asks for less: so much is told.
  expect_error(ErrorKind::NotConverged, "is needed to tell its vector",
               [&] { solve_eigenproblem(a, {.count = 2, .solver = EigenSolver::Randomized}, {}); });
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

// The factor of a cube fills up. Another solver would do with less, and give other bits: the budget must not choose.
TEST_F(FallBack, AFactorAboveTheMemoryBudgetIsRefused) {
  const SparseOperator cube(laplacian(cube_graph(11), true));
  EigenProblem chosen{.count = 2, .lowest = 0, .dimension = 1};  // of curves Lanczos is known to be slow
  ASSERT_EQ(solve_eigenproblem(cube, chosen, {}).solver, EigenSolver::ShiftInvert);
  const unroll::Run run{.memory_budget = 3'000'000};
  expect_error(ErrorKind::OutOfMemory, "needs", [&] { solve_eigenproblem(cube, chosen, run); });
  expect_error(ErrorKind::OutOfMemory, "use eigen_solver=lanczos or n_landmarks",
               [&] { solve_eigenproblem(cube, chosen, run); });
  EigenProblem tiny = chosen;
  tiny.relative_accuracy = true;
  tiny.memory_advice = "use n_landmarks";
  expect_error(ErrorKind::OutOfMemory, "needs", [&] { solve_eigenproblem(cube, tiny, run); });
  expect_error(ErrorKind::OutOfMemory, "; use n_landmarks", [&] { solve_eigenproblem(cube, tiny, run); });
  chosen.solver = EigenSolver::Lanczos;
  EXPECT_EQ(solve_eigenproblem(cube, chosen, run).solver, EigenSolver::Lanczos);
}

// A second question to the same factor: it is in memory, and is not computed again.
TEST_F(FallBack, AFactorThatIsHeldIsNotPlannedAgain) {
  const SparseOperator cube(laplacian(cube_graph(11), true));
  SparseCholesky factor(*cube.sparse(), 1, {});
  const EigenProblem asked{.count = 2, .lowest = 0, .solver = EigenSolver::ShiftInvert, .factor = &factor};
  const auto budget = static_cast<std::uint64_t>(factor.stored_bytes() + factor.working_bytes({.threads = 1}));
  const unroll::Run limited{
      .threads = 1, .progress = [](const Progress& p) { return p.stage != "factorization"; }, .memory_budget = budget};
  expect_error(ErrorKind::OutOfMemory, "eigen", [&] { solve_eigenproblem(cube, asked, limited); });
  const EigenSolution first = solve_eigenproblem(cube, asked, {});
  EXPECT_EQ(solve_eigenproblem(cube, asked, limited).values, first.values);
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

TEST_F(FallBack, TheErrorSaysWhatEachSolverReached) {
  EigenProblem impossible = problem();
  impossible.tolerance = 1e-30;
  for (const char* part : {"shift_invert: 0 of 2 pairs are proven, the worst residual is",
                           "lanczos: ", "dense: ", "use fewer components or another eigen_solver"})
    expect_error(ErrorKind::NotConverged, part, [&] { solve_eigenproblem(a_, impossible, {}); });
}

TEST_F(FallBack, AnExplicitChoiceIsObeyed) {
  for (const EigenSolver solver : kEigenSolvers) {
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
  expect_error(ErrorKind::OutOfMemory, "the analysis of a sparse matrix",
               [&] { solve_eigenproblem(a_, problem(), {.memory_budget = 1000}); });
  std::atomic<bool> cancel = true;
  for (const EigenSolver solver : kEigenSolvers) {
    EigenProblem chosen = problem();
    chosen.solver = solver;
    expect_error(ErrorKind::Cancelled, "", [&] { solve_eigenproblem(a_, chosen, {.cancel = &cancel}); });
  }
}

}  // namespace
}  // namespace unroll
