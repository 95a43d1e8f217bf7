#pragma once
#include <vector>

#include "eigen/eigen_problem.h"
#include "sparse/sparse_cholesky.h"

/// The solvers behind solve_eigenproblem. Each throws NotConverged when it fails or meets a value that is not finite.
namespace unroll {

/// The unproven result of a solver: at least as many pairs as were asked for, from the wanted end inward, and any
/// further ones that it found.
struct FoundPairs {
  std::vector<double> values = {};
  Array2<double> vectors = {};  ///< one per row
  Index iterations = 0;
  double norm = 0;  ///< largest magnitude of an eigenvalue seen
};

constexpr Index kSmallMatrix = 800;    ///< up to this size LAPACK is at least as fast as any other
constexpr Index kLargestDense = 5000;  ///< for LAPACK as a last resort

/// LAPACK on the full matrix; known vectors are moved to the far end of the spectrum.
FoundPairs solve_dense(const SymmetricOperator& a, const EigenProblem& problem, const Run& run);

/// Block Lanczos with products alone.
FoundPairs solve_lanczos(const SymmetricOperator& a, const EigenProblem& problem, Index max_products, const Run& run);

/// Products alone, in blocks wider than the number of pairs: few passes over an operator whose product is expensive.
FoundPairs solve_randomized(const SymmetricOperator& a, const EigenProblem& problem, Index max_products,
                            const Run& run);

/// The sign of A in the positive definite matrix that solve_shift_invert factorises.
inline double factor_sign(SpectrumEnd end) { return end == SpectrumEnd::Smallest ? 1 : -1; }

/// The number of right-hand sides per solve: eight cost little more than two, but for one or two pairs four converge
/// almost as fast.
inline Index shift_invert_block(Index count) { return count <= 2 ? 4 : 8; }

/// Lanczos on the inverse of A - sigma I (or its negative) with sigma outside the spectrum, just beyond the wanted end:
/// eigenvalues there become large and well separated. `factor` belongs to factor_sign(end) A and is analysed.
FoundPairs solve_shift_invert(const SymmetricOperator& a, const EigenProblem& problem, SparseCholesky& factor,
                              const Run& run);

/// Largest Euclidean norm of a row: a lower bound of the norm of a symmetric matrix.
double largest_row_norm(const SparseMatrix& a, const Run& run);

}  // namespace unroll
