#include "sparse/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "eigen/operators.h"
#include "sparse/fill_order.h"
#include "sparse/panel_solver.h"
#include "sparse/sparse_cholesky.h"
#include "support/eigen_reference.h"
#include "support/expect_error.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/sparse_systems.h"

namespace unroll {
namespace {

// Every entry of L that there is without accidental zeros is counted, and has a row in its panel.
TEST(Elimination, TheAnalysisKnowsEveryEntry) {
  const SparseMatrix a = laplacian(grid_graph(17, 23), false);
  std::vector<Elimination::Row> order(391);
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Elimination::Row>((k * 100) % 391);
  const Elimination plan = plan_elimination(a, order, {});
  Array2<double> full = SparseOperator(a).dense({});
  Array2<double> ordered(391, 391);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j)
      ordered(static_cast<Index>(i), static_cast<Index>(j)) = full(plan.order[i], plan.order[j]) + (i == j ? 0.5 : 0);
  const Array2<double> l = cholesky_by_eigen(ordered);
  EXPECT_EQ(l.size() - std::count(l.data(), l.data() + l.size(), 0.0), static_cast<Index>(plan.entries));
  for (Index s = 0; s < plan.supernodes(); ++s) {
    const auto at = static_cast<std::size_t>(s);
    for (Index k = plan.first[at]; k < plan.first[at + 1]; ++k)
      for (Index i = k; i < 391; ++i)
        if (l(i, k) != 0) {
          const auto begin = plan.rows.begin() + plan.row_offsets[at],
                     end = plan.rows.begin() + plan.row_offsets[at + 1];
          EXPECT_TRUE(std::binary_search(begin, end, static_cast<Elimination::Row>(i))) << i << " " << k;
        }
  }
}

// The rows that subtrees have of their own are in the plan of the solves.
TEST(Elimination, RowsOfSubtreesArePlanned) {
  const SparseMatrix a = laplacian(grid_graph(300, 300), true);
  const SparseCholesky factor(a, 1, {});
  EXPECT_GT(factor.working_bytes({.threads = 1}), 8 * sizeof(double) * 90'000.0);
}

// Subtrees that leave more rows than 32 bits can count are refused in words, and not called a failure to converge: the
// chain of eigensolvers would take the next one without a word.
TEST(Elimination, MoreRowsThanCanBeCountedAreRefused) {
  constexpr Index kSide = Index{1} << 16;
  Elimination plan;
  plan.first = {0, 1};
  plan.parent = {-1};
  plan.rows.resize(kSide + 1);
  plan.row_offsets = {0, kSide + 1};
  plan.subtrees.assign(kSide / 2, {.first = 0, .last = 0, .work = 0, .is_gathered = false});
  expect_error(ErrorKind::Unsupported,
               "a sparse solution of 2147483648 rows, above 2^31 - 1; use n_landmarks or fewer points",
               [&] { require_countable_rows(plan); });
  plan.subtrees.pop_back();
  EXPECT_NO_THROW(require_countable_rows(plan));
  const SparseMatrix large{.rows = Index{1} << 31, .cols = Index{1} << 31};
  expect_error(ErrorKind::Unsupported, "above 2^31 - 1; use n_landmarks or fewer points",
               [&] { fill_reducing_order(large, {}); });
}

// What they leave would be more than the factor.
TEST(Elimination, SubtreesComeInRounds) {
  const SparseMatrix a = laplacian(attachment_graph(12'000), true);
  const Elimination plan = plan_elimination(a, fill_reducing_order(a, {}), {});
  EXPECT_GT(plan.rounds.size(), 1U);
  EXPECT_LT(error_of_solution(a, 1, 0.1, 8), 1e-12);
}

// By its work, in steps that can be watched, however many supernodes there are; a dense matrix is one.
TEST(Multifrontal, ProgressIsToldInSteps) {
  for (const Graph& graph : {grid_graph(150, 150), path_graph(200'000), complete_graph(1500)}) {
    const SparseMatrix a = laplacian(graph, true);
    for (const int threads : {1, 2}) {
      const auto caller = std::this_thread::get_id();
      std::vector<double> fractions;
      const unroll::Run run{.threads = threads, .progress = [&](const Progress& progress) {
                              EXPECT_EQ(std::this_thread::get_id(), caller);
                              if (progress.stage == "factorization") fractions.push_back(progress.fraction);
                              return true;
                            }};
      SparseCholesky factor(a, 1, run);
      ASSERT_TRUE(factor.factorize(1e-6, run));
      EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
      EXPECT_GT(fractions.size(), threads == 1 ? 20 : 3) << graph.size;
      EXPECT_LT(fractions.size(), 510) << graph.size;
      EXPECT_EQ(fractions.front(), 0);
      EXPECT_EQ(fractions.back(), 1);
    }
  }
}

TEST(Elimination, APatternThatIsNotSymmetricIsNoticed) {
  SparseMatrix above{.rows = 100, .cols = 100}, below = above;
  for (Index i = 0; i < 100; ++i) {
    for (Index j = 0; j < 100; ++j)
      for (SparseMatrix* a : {&above, &below})
        if (i == j || (a == &above ? i < j : i > j)) {
          a->columns.push_back(j);
          a->values.push_back(1);
        }
    for (SparseMatrix* a : {&above, &below}) a->offsets.push_back(std::ssize(a->columns));
  }
  std::vector<Elimination::Row> order(100);
  std::iota(order.begin(), order.end(), 0);
  for (const SparseMatrix* a : {&above, &below})
    expect_error(ErrorKind::Internal, "not symmetric", [&] { plan_elimination(*a, order, {}); });
}

}  // namespace
}  // namespace unroll
