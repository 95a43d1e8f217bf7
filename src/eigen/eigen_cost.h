#pragma once
#include "eigen/eigen_problem.h"
#include "sparse/sparse_cholesky.h"

/// What the solvers are predicted to cost, from sizes and compiled-in constants alone: the choice between them must not
/// depend on the machine or its load. In seconds of one core of the machine where the constants were measured.
namespace unroll {

double predicted_dense_cost(Index n);

/// Products needed go with the inverse root of the relative gap, which on a neighbour graph of a d-dimensional set is
/// about (degree / n)^(2/d). An unknown d is taken for 2.
double predicted_lanczos_cost(const SymmetricOperator& a, const EigenProblem& problem);

double predicted_randomized_cost(const SymmetricOperator& a, const EigenProblem& problem);

double predicted_shift_invert_cost(const SparseCholesky& factor, Index n, const EigenProblem& problem);

}  // namespace unroll
