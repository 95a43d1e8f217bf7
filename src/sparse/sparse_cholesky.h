#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "sparse/elimination.h"
#include "sparse/panel_solver.h"
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

/// L L^T = sign A + shift I for a sparse symmetric A, which must outlive this and not change. Both triangles are
/// stored, no entry twice: a pattern that is not symmetric would write beyond the factor, and is an internal error
/// where it is noticed. The pattern is analysed at once, in about O(nonzeros), which tells what the factor will cost.
/// Not for two threads at a time.
class SparseCholesky {
 public:
  /// Throws OutOfMemory, in the name of `who`, where the analysis does not fit.
  SparseCholesky(const SparseMatrix& a, double sign, const Run& run);
  SparseCholesky(SparseMatrix&&, double, const Run&, std::string_view = {}) = delete;
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;

  double entries() const { return plan_.entries; }  ///< of the factor
  double flops() const { return plan_.flops; }      ///< to compute it
  double stored_bytes() const;                      ///< of the factor
  double bytes_to_store() const;                    ///< of these, what is not held yet
  double working_bytes(const Run& run) const;       ///< of the factorisation and the solves, beside it
  static CholeskyCosts costs() { return {.flop = 1 / 3e10, .entry = 2e-8, .solve_entry = 5e-9}; }

  /// False: the matrix is not positive definite to rounding. What is known for this shift is not computed again. Throws
  /// NotConverged where the solution would have more rows than can be counted.
  bool factorize(double shift, const Run& run);

  /// x = (sign A + shift I)^-1 b; a column per right-hand side.
  void solve(const Array2<double>& b, Array2<double>& x, const Run& run);

 private:
  const SparseMatrix& a_;
  double sign_;
  Elimination plan_;
  Array2<double> values_;
  std::optional<double> shift_;     // of the factor that is held
  std::vector<double> indefinite_;  // shifts
  std::optional<PanelSolver> solver_;
};

}  // namespace unroll
