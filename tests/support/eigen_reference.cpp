#include "support/eigen_reference.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <stdexcept>

#include "unroll/core/eigen.h"

namespace unroll {
namespace {

Array2<double> as_array(const RowMajor<double>& matrix) {
  Array2<double> array(matrix.rows(), matrix.cols());
  as_eigen(array) = matrix;
  return array;
}

Eigen::LLT<RowMajor<double>> factor_of(const Array2<double>& matrix) {
  Eigen::LLT<RowMajor<double>> factor(as_eigen(matrix));
  if (factor.info() != Eigen::Success) throw std::invalid_argument("the test's matrix is not positive definite");
  return factor;
}

}  // namespace

ReferencePairs pairs_by_eigen(const Array2<double>& matrix) {
  const Eigen::SelfAdjointEigenSolver<RowMajor<double>> solver(as_eigen(matrix));
  return {.values = {solver.eigenvalues().begin(), solver.eigenvalues().end()},
          .vectors = as_array(solver.eigenvectors().transpose())};
}

Array2<double> cholesky_by_eigen(const Array2<double>& matrix) { return as_array(factor_of(matrix).matrixL()); }

Array2<double> solution_by_eigen(const Array2<double>& matrix, const Array2<double>& right) {
  return as_array(factor_of(matrix).solve(as_eigen(right)));
}

std::optional<Array2<double>> sparse_solution_by_eigen(const SparseMatrix& a, double sign, double shift,
                                                       const Array2<double>& right) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < a.rows; ++i) {
    entries.emplace_back(i, i, shift);
    for (auto e = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(i) + 1]); ++e)
      entries.emplace_back(i, a.columns[e], sign * a.values[e]);
  }
  Eigen::SparseMatrix<double> matrix(a.rows, a.rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(matrix);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return as_array(factor.solve(as_eigen(right)));
}

}  // namespace unroll
