#pragma once
#include <optional>
#include <vector>

#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Decompositions by the Eigen library, an independent implementation to compare ours with. It is compiled once,
/// behind these functions: its templates take longer to compile than the tests that use them.
namespace unroll {

struct ReferencePairs {
  std::vector<double> values;  ///< ascending
  Array2<double> vectors;      ///< one per row
};

/// All eigenpairs of a symmetric matrix.
ReferencePairs pairs_by_eigen(const Array2<double>& matrix);

/// L with A = L L^T.
Array2<double> cholesky_by_eigen(const Array2<double>& matrix);

/// X with A X = B, for a positive definite A.
Array2<double> solution_by_eigen(const Array2<double>& matrix, const Array2<double>& right);

/// X with (sign A + shift I) X = B by SimplicialLLT, for a sparse A of which both triangles are stored; none: the
/// matrix is not positive definite.
std::optional<Array2<double>> sparse_solution_by_eigen(const SparseMatrix& a, double sign, double shift,
                                                       const Array2<double>& right);

}  // namespace unroll
