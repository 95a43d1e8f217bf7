#pragma once
#include <memory>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// What a factorisation and its solves take, in seconds as in linalg/eigen_cost.h.
struct CholeskyCosts {
  double flop;         ///< of the factorisation
  double entry;        ///< of the factor, beside its flops
  double solve_entry;  ///< of the factor, in a solve with eight right-hand sides
};

/// L L^T = sign A + shift I for a sparse symmetric A: CHOLMOD, or Eigen where UNROLL_GPL is off. The pattern is
/// analysed at once, in O(nonzeros), which tells what the factor will cost. Not for two threads at a time.
class SparseCholesky {
 public:
  /// Takes what is on and above the diagonal of A.
  SparseCholesky(const SparseMatrix& a, double sign, const Run& run);
  ~SparseCholesky();

  double entries() const;  ///< of the factor
  double flops() const;    ///< to compute it
  static CholeskyCosts costs();

  /// False: the matrix is not positive definite to rounding. Answers a cancelled run at once.
  bool factorize(double shift, const Run& run);

  /// x = (sign A + shift I)^-1 b; a column per right-hand side.
  void solve(const Array2<double>& b, Array2<double>& x, const Run& run);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  // shared with work that a cancelled run leaves behind
};

}  // namespace unroll
