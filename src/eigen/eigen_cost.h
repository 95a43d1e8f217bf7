#pragma once
#include "eigen/eigen_problem.h"
#include "sparse/sparse_cholesky.h"

/// Predicted costs of the solvers, from sizes and compiled-in constants alone: the choice between solvers must not
/// depend on the machine or its load. The unit is a second of one core of the machine where the constants were
/// measured.
namespace unroll {

double predicted_dense_cost(Index n);

/// The number of products grows with the inverse root of the relative gap, which is about (degree / n)^(2/d) on a
/// neighbour graph of a d-dimensional set. An unknown d counts as 2.
double predicted_lanczos_cost(const SymmetricOperator& a, const EigenProblem& problem);

double predicted_randomized_cost(const SymmetricOperator& a, const EigenProblem& problem);

double predicted_shift_invert_cost(const SparseCholesky& factor, Index n, const EigenProblem& problem);

/// Of a factorisation and a solve with so many right-hand sides.
double predicted_solve_cost(const SparseCholesky& factor, Index columns);

/// Of conjugate gradients with so many right-hand sides.
double predicted_gradient_cost(const SymmetricOperator& a, double iterations, Index columns);

}  // namespace unroll
