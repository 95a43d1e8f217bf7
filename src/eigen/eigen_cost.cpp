#include "eigen/eigen_cost.h"

#include <algorithm>
#include <cmath>

#include "eigen/eigen_solvers.h"

namespace unroll {
namespace {

constexpr double kSparseFlop = 1 / 1.5e9;  // products with a sparse matrix: memory-bound
constexpr double kBlasFlop = 1 / 8e9;      // products of large dense matrices
constexpr double kTallFlop = 1 / 3.5e9;    // products of tall blocks: packing costs more than multiplying

/// Two rounds of orthogonalisation of a block against a basis of average size.
double orthogonalization(Index n, double basis, double block) {
  return 8 * static_cast<double>(n) * basis * block * kTallFlop;
}

}  // namespace

double predicted_dense_cost(Index n) {
  const auto side = static_cast<double>(n);
  return 4 * (4.0 / 3) * side * side * side * kBlasFlop;
}

double predicted_lanczos_cost(const SymmetricOperator& a, const EigenProblem& problem) {
  const auto n = static_cast<double>(a.size());
  const double degree = std::max(1.0, a.cost() / (2 * n));
  const double dimension = std::max(1.0, problem.dimension.value_or(2));
  const double block = std::clamp(static_cast<double>(problem.count), 4.0, 8.0);
  const double products = 20 + 18 * std::pow(std::max(1.0, n / degree), 1 / dimension);
  return products * (block * a.cost() * kSparseFlop + orthogonalization(a.size(), 45, block));
}

double predicted_randomized_cost(const SymmetricOperator& a, const EigenProblem& problem) {
  constexpr double kUsualProducts = 12;
  const double block = static_cast<double>(problem.count) + 10;
  return kUsualProducts * (block * a.cost() * kBlasFlop + orthogonalization(a.size(), 4 * block, block));
}

double predicted_shift_invert_cost(const SparseCholesky& factor, Index n, const EigenProblem& problem) {
  const double solves = 6 + static_cast<double>(problem.count) / 2;
  const auto block = static_cast<double>(shift_invert_block(problem.count));
  const CholeskyCosts costs = SparseCholesky::costs();
  return factor.entries() * costs.entry + factor.flops() * costs.flop +
         solves * (factor.entries() * costs.solve_entry * block / 8 + orthogonalization(n, 25, block));
}

double predicted_solve_cost(const SparseCholesky& factor, Index columns) {
  const CholeskyCosts costs = SparseCholesky::costs();
  return factor.entries() * (costs.entry + costs.solve_entry * static_cast<double>(columns) / 8) +
         factor.flops() * costs.flop;
}

double predicted_gradient_cost(const SymmetricOperator& a, double iterations, Index columns) {
  const double updates = 14 * static_cast<double>(a.size()) * kTallFlop;  // of three vectors, and four inner products
  return iterations * static_cast<double>(columns) * (a.cost() * kSparseFlop + updates);
}

}  // namespace unroll
