#include "linalg/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <iterator>

#include "linalg/operators.h"
#include "support/expect_error.h"
#include "support/graphs.h"
#include "support/matrices.h"

namespace unroll {
namespace {

TEST(SparseCholesky, SolvesWithBothSigns) {
  const SparseMatrix a = laplacian(grid_graph(20, 25), false);
  for (const double sign : {1.0, -1.0}) {
    const double shift = sign > 0 ? 0.1 : 8.5;  // a grid's eigenvalues lie in [0, 8]
    SparseCholesky factor(a, sign, {});
    ASSERT_TRUE(factor.factorize(shift, {}));
    const Array2<double> b = normal_matrix(500, 8, 1);
    Array2<double> x(500, 8), ax(500, 8);
    factor.solve(b, x, {});
    SparseOperator(a).apply(x, ax, {});
    for (Index i = 0; i < b.size(); ++i) ax.data()[i] = sign * ax.data()[i] + shift * x.data()[i];
    EXPECT_LT(relative_difference(ax, b), 1e-12);
  }
}

// A path is eliminated from its ends without fill.
TEST(SparseCholesky, TheAnalysisCountsTheFactor) {
  const SparseCholesky path(laplacian(path_graph(1000), false), 1, {});
  EXPECT_EQ(path.entries(), 1999);
  const SparseCholesky full(laplacian(complete_graph(100), false), 1, {});
  EXPECT_EQ(full.entries(), 5050);
  EXPECT_GT(full.flops(), 100'000);
}

TEST(SparseCholesky, AnIndefiniteMatrixIsNoticed) {
  for (const Graph& graph : {path_graph(50), grid_graph(40, 40), complete_graph(80)}) {
    SparseCholesky factor(laplacian(graph, true), 1, {});
    EXPECT_FALSE(factor.factorize(-0.5, {}));
    EXPECT_TRUE(factor.factorize(1e-6, {}));
  }
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// OpenMP keeps threads that it has once started, and CHOLMOD would have it start them for a supernode of this size.
// (ctest gives every test a process of its own.)
TEST(SparseCholesky, StartsNoThread) {
  SparseCholesky factor(laplacian(complete_graph(600), true), 1, {});
  const std::ptrdiff_t before = threads_of_this_process();
  ASSERT_TRUE(factor.factorize(1e-6, {}));
  Array2<double> x(600, 8);
  factor.solve(normal_matrix(600, 8, 1), x, {.threads = 1});
  EXPECT_LE(threads_of_this_process(), before);
}

TEST(SparseCholesky, CancelAnswers) {
  const std::atomic<bool> cancel = true;
  const unroll::Run run{.cancel = &cancel};
  SparseCholesky factor(laplacian(grid_graph(200, 200), true), 1, {});
  expect_error(ErrorKind::Cancelled, "", [&] {
    factor.factorize(1e-6, run);
    run.check_cancelled();  // where the factorisation was faster than the first look
  });
}

}  // namespace
}  // namespace unroll
