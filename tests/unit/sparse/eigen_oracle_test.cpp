#include <gtest/gtest.h>

#include "sparse/sparse_cholesky.h"
#include "support/eigen_reference.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/sparse_systems.h"

// Our factorisation beside Eigen's SimplicialLLT, which orders, eliminates and solves by code of its own.
namespace unroll {
namespace {

/// Both solve sign A + shift I, or both refuse it; the difference of their solutions, relative to the largest entry.
double difference_from_eigen(const SparseMatrix& a, double sign, double shift) {
  constexpr Index kSides = 3;
  const Array2<double> b = normal_matrix(a.rows, kSides, 1);
  const std::optional<Array2<double>> expected = sparse_solution_by_eigen(a, sign, shift, b);
  SparseCholesky factor(a, sign, {});
  EXPECT_EQ(factor.factorize(shift, {}), expected.has_value()) << a.rows << " unknowns, shift " << shift;
  if (!expected) return 0;
  Array2<double> x(a.rows, kSides);
  factor.solve(b, x, {});
  return relative_difference(x, *expected);
}

// From diagonal ones to ones whose factor is full.
TEST(EigenOracle, RandomMatrices) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index n = 1 + 19 * static_cast<Index>(seed), others = static_cast<Index>(seed % 8);
    const SparseMatrix a = random_semidefinite_matrix(n, others, seed);
    EXPECT_LT(difference_from_eigen(a, 1, 0.1), 1e-11) << n << " " << others;
  }
}

TEST(EigenOracle, LaplaciansWithAShift) {
  for (const bool normalized : {false, true})
    for (const Graph& graph :
         {path_graph(2), path_graph(3000), cycle_graph(1001), star_graph(2000), grid_graph(60, 70), cube_graph(9),
          bipartite_graph(40, 700), random_graph(500, 0.03, 7), attachment_graph(2000), two_sided_graph(100, 2000)}) {
      const SparseMatrix a = laplacian(graph, normalized);
      EXPECT_LT(difference_from_eigen(a, 1, 1), 1e-12) << graph.size;
      EXPECT_LT(difference_from_eigen(a, 1, 1e-6), 1e-5) << graph.size;  // of condition 1e6 and more
    }
}

TEST(EigenOracle, OneUnknown) {
  for (const double value : {-2.0, 0.0, 3.0}) {
    const SparseMatrix a{.rows = 1, .cols = 1, .offsets = {0, 1}, .columns = {0}, .values = {value}};
    for (const double sign : {1.0, -1.0})
      for (const double shift : {-1.0, 0.0, 1.0, 5.0})
        EXPECT_LT(difference_from_eigen(a, sign, shift), 1e-15) << value << " " << sign << " " << shift;
  }
  const SparseMatrix empty{.rows = 1, .cols = 1, .offsets = {0, 0}};  // its entry is 0
  EXPECT_EQ(difference_from_eigen(empty, 1, 2), 0);
  EXPECT_EQ(difference_from_eigen(empty, 1, 0), 0);
}

TEST(EigenOracle, SeveralComponents) {
  const Graph none{.size = 300};
  for (const Graph& graph : {none, copies(path_graph(2), 500), copies(grid_graph(12, 9), 30),
                             copies(star_graph(7), 200), copies(complete_graph(40), 9)})
    EXPECT_LT(difference_from_eigen(laplacian(graph, false), 1, 0.5), 1e-12) << graph.size;
}

TEST(EigenOracle, DenseMatrices) {
  for (const Index n : {2, 17, 64, 65, 300, 700})
    EXPECT_LT(difference_from_eigen(laplacian(complete_graph(n), false), 1, 0.5), 1e-11) << n;
  EXPECT_LT(difference_from_eigen(random_semidefinite_matrix(120, 60, 3), 1, 0.1), 1e-10);
}

// A path's eigenvalues are 2 - 2 cos(pi k / n): shifts between them, of both signs.
TEST(EigenOracle, ADefiniteMatrixIsOneForBoth) {
  const SparseMatrix a = laplacian(path_graph(400), false);
  for (const double sign : {1.0, -1.0})
    for (const double shift : {-4.5, -2.0, -1e-9, 1e-9, 0.5, 3.99, 4.01, 9.0})
      EXPECT_LT(difference_from_eigen(a, sign, shift), 1e-3) << sign << " " << shift;
}

}  // namespace
}  // namespace unroll
