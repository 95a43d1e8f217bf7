#include "sparse/sparse_cholesky.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "eigen/operators.h"
#include "support/eigen_reference.h"
#include "support/expect_error.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/sanitizers.h"
#include "support/sparse_systems.h"

// What sparse_cholesky.h promises, of either back end.

namespace unroll {
namespace {

TEST(SparseCholesky, SolvesWithBothSigns) {
  const SparseMatrix a = laplacian(grid_graph(20, 25), false);  // a grid's eigenvalues lie in [0, 8]
  for (const Index sides : {1, 3, 4, 5, 8, 9}) {
    EXPECT_LT(error_of_solution(a, 1, 0.1, sides), 1e-12);
    EXPECT_LT(error_of_solution(a, -1, 8.5, sides), 1e-12);
  }
}

// From no edge at all to all of them: panels of one column and of 700, trees of many roots, of one path, of one node;
// the large grids and the cubes have subtrees that are eliminated apart.
TEST(SparseCholesky, SolvesForGraphsOfEveryShape) {
  const Graph none{.size = 40};
  Graph forest = path_graph(3000);
  std::erase_if(forest.edges, [](const Edge& edge) { return edge.b % 7 == 0; });
  for (const Graph& graph : {none, Graph{.size = 1}, forest, path_graph(500), cycle_graph(501), star_graph(300),
                             bipartite_graph(90, 110), bipartite_graph(100, 2000), two_sided_graph(300, 9000),
                             copies(star_graph(50), 900), grid_graph(90, 110), cube_graph(11), complete_graph(700)})
    EXPECT_LT(error_of_solution(laplacian(graph, false), 1, 0.1, 8), 1e-10) << graph.size;
}

// Of random graphs of every density; the dense factor counts the flops of the analysis, too.
TEST(SparseCholesky, AgreesWithADenseSolver) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Index n = 20 + 7 * static_cast<Index>(seed);
    const Random random(seed, "test");
    Graph graph{n};
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j)
        if (random.uniform(static_cast<std::uint64_t>(i * n + j)) < 0.002 * static_cast<double>(seed))
          graph.edges.push_back({i, j, 0.1 + random.uniform(static_cast<std::uint64_t>(i * n + j), 1)});
    const SparseMatrix a = laplacian(graph, false);
    Array2<double> full = SparseOperator(a).dense({});
    for (Index i = 0; i < n; ++i) full(i, i) += 0.01;
    const Array2<double> b = normal_matrix(n, 4, seed), expected = solution_by_eigen(full, b);
    SparseCholesky factor(a, 1, {});
    ASSERT_TRUE(factor.factorize(0.01, {}));
    Array2<double> x(n, 4);
    factor.solve(b, x, {});
    EXPECT_LT(relative_difference(x, expected), 1e-11) << seed;
  }
}

// A path is eliminated from its ends without fill.
TEST(SparseCholesky, TheAnalysisCountsTheFactor) {
  const SparseMatrix path = laplacian(path_graph(1000), false), full = laplacian(complete_graph(100), false);
  EXPECT_EQ(SparseCholesky(path, 1, {}).entries(), 1999);
  EXPECT_EQ(SparseCholesky(full, 1, {}).entries(), 5050);
  EXPECT_EQ(SparseCholesky(full, 1, {}).flops(), 100.0 * 101 * 201 / 6);
}

TEST(SparseCholesky, AnIndefiniteMatrixIsNoticed) {
  for (const Graph& graph : {path_graph(50), grid_graph(40, 40), grid_graph(150, 150), complete_graph(300)}) {
    const SparseMatrix a = laplacian(graph, true);
    SparseCholesky factor(a, 1, {});
    EXPECT_FALSE(factor.factorize(-0.5, {}));
    EXPECT_FALSE(factor.factorize(NAN, {}));
    EXPECT_FALSE(factor.factorize(INFINITY, {}));
    EXPECT_TRUE(factor.factorize(1e-6, {}));
  }
}

// Wherever the entry is.
TEST(SparseCholesky, AnEntryThatIsNotFiniteIsNoticed) {
  const SparseMatrix a = laplacian(grid_graph(9, 9), false);
  for (const double value : {static_cast<double>(NAN), static_cast<double>(INFINITY)})
    for (std::size_t i = 0; i < 81; i += 5)
      for (Index e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
        SparseMatrix broken = a;
        const auto j = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)]);
        broken.values[static_cast<std::size_t>(e)] = value;
        for (Index back = a.offsets[j]; back < a.offsets[j + 1]; ++back)
          if (a.columns[static_cast<std::size_t>(back)] == static_cast<Index>(i))
            broken.values[static_cast<std::size_t>(back)] = value;
        EXPECT_FALSE(SparseCholesky(broken, 1, {}).factorize(0.1, {})) << i << " " << j << " " << value;
      }
}

double most_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Whether a factorisation, in a child of this process, takes no more memory than planned.
bool suffices_what_is_planned(const SparseMatrix& a) {
  constexpr double kRounding = 1 << 24;  // to pages, large ones too
  const unroll::Run run{.threads = 1};
  const SparseMatrix small = laplacian(complete_graph(200), true);
  SparseCholesky(small, 1, run).factorize(1, run);  // BLAS has its buffers
  SparseCholesky factor(a, 1, run);
  malloc_trim(0);
  const pid_t child = fork();
  if (child == 0) {
    const double before = most_resident_bytes();
    if (!factor.factorize(1e-3, run)) _exit(2);
    const double taken = most_resident_bytes() - before;
    _exit(taken <= factor.stored_bytes() + factor.working_bytes(run) + kRounding ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Most of it is updates of panels above the subtrees, of which few wait at a time.
TEST(SparseCholesky, TheMemoryPlannedSuffices) {
  if (is_sanitized()) GTEST_SKIP() << "sanitizers keep what is freed";
  EXPECT_TRUE(suffices_what_is_planned(laplacian(grid_graph(700, 700), true)));
}

// 20 000 points that all leave an update of their 100 neighbours, in all 1.6 GB: they are added up as they come.
TEST(SparseCholesky, UpdatesOfManyChildrenDoNotWait) {
  for (const Graph& graph : {bipartite_graph(100, 20'000), star_graph(400'000)}) {
    const SparseMatrix a = laplacian(graph, true);
    const SparseCholesky factor(a, 1, {});
    const double vectors = 8.0 * sizeof(double) * static_cast<double>(a.rows);
    EXPECT_LT(factor.working_bytes({.threads = 8}), factor.stored_bytes() + vectors) << graph.size;
    EXPECT_LT(error_of_solution(a, 1, 0.1, 8), 1e-10) << graph.size;
  }
}

void expect_same_bits_at_any_thread_count(const std::vector<Graph>& graphs) {
  for (const Graph& graph : graphs) {
    const SparseMatrix a = laplacian(graph, true);
    const Array2<double> b = normal_matrix(a.rows, 8, 1);
    Array2<double> expected;
    for (const int threads : {1, 2, 3, 8}) {
      const unroll::Run run{.threads = threads};
      SparseCholesky factor(a, 1, run);
      ASSERT_TRUE(factor.factorize(1e-6, run));
      Array2<double> x(a.rows, 8);
      factor.solve(b, x, run);
      if (threads == 1) expected = x;
      EXPECT_TRUE(std::equal(x.data(), x.data() + x.size(), expected.data())) << threads;
    }
  }
}

TEST(SparseCholesky, SameBitsAtAnyThreadCount) {
  expect_same_bits_at_any_thread_count({grid_graph(90, 80), cube_graph(9), complete_graph(300),
                                        bipartite_graph(50, 4000), two_sided_graph(100, 3000), attachment_graph(4000)});
}
TEST(SparseCholeskySlow, SameBitsAtAnyThreadCount) {
  expect_same_bits_at_any_thread_count({grid_graph(180, 170), cube_graph(11), complete_graph(500),
                                        bipartite_graph(100, 20'000), two_sided_graph(300, 9000),
                                        attachment_graph(12'000)});
}

TEST(SparseCholesky, TheSameShiftIsNotFactorizedAgain) {
  const SparseMatrix a = laplacian(grid_graph(30, 30), true);
  const unroll::Run refused{.progress = [](const Progress& progress) { return progress.stage != "factorization"; }};
  SparseCholesky factor(a, 1, {});
  EXPECT_GT(factor.bytes_to_store(), 0);
  expect_error(ErrorKind::Cancelled, "", [&] { factor.factorize(0.1, refused); });
  EXPECT_FALSE(factor.factorize(-0.5, {}));
  EXPECT_TRUE(factor.factorize(0.1, {}));
  EXPECT_EQ(factor.bytes_to_store(), 0);
  EXPECT_FALSE(factor.factorize(-0.5, refused));
  EXPECT_TRUE(factor.factorize(0.1, refused));
  expect_error(ErrorKind::Cancelled, "", [&] { factor.factorize(0.2, refused); });
}

TEST(SparseCholesky, ProgressBeginsAndEnds) {
  const SparseMatrix a = laplacian(grid_graph(30, 30), true);
  std::vector<double> fractions;
  const unroll::Run run{.progress = [&](const Progress& progress) {
    if (progress.stage == "factorization") fractions.push_back(progress.fraction);
    return true;
  }};
  ASSERT_TRUE(SparseCholesky(a, 1, run).factorize(0.1, run));
  ASSERT_FALSE(fractions.empty());
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
}

// The callback may stop it, too.
TEST(SparseCholesky, TheCallbackStopsIt) {
  const SparseMatrix a = laplacian(grid_graph(200, 200), true);
  SparseCholesky factor(a, 1, {});
  for (const int threads : {1, 2, 8}) {
    const unroll::Run run{.threads = threads, .progress = [](const Progress& p) { return p.fraction < 0.1; }};
    expect_error(ErrorKind::Cancelled, "", [&] { factor.factorize(1e-6, run); });
  }
}

TEST(SparseCholesky, TheAnalysisCanBeCancelled) {
  const std::atomic<bool> cancel = true;
  const unroll::Run run{.threads = 1, .cancel = &cancel};
  const SparseMatrix a = laplacian(grid_graph(100, 100), true);
  expect_error(ErrorKind::Cancelled, "", [&] { SparseCholesky(a, 1, run); });
}

TEST(SparseCholesky, CancelAnswers) {
  const std::atomic<bool> cancel = true;
  const unroll::Run run{.cancel = &cancel};
  const SparseMatrix a = laplacian(grid_graph(200, 200), true);
  SparseCholesky factor(a, 1, {});
  expect_error(ErrorKind::Cancelled, "", [&] { factor.factorize(1e-6, run); });
  EXPECT_TRUE(factor.factorize(1e-6, {}));
}

}  // namespace
}  // namespace unroll
