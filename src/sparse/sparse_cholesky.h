#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

namespace unroll {

/// What a factorisation and its solves take, in seconds as in eigen/eigen_cost.h.
struct CholeskyCosts {
  double flop;         ///< of the factorisation
  double entry;        ///< of the factor, beside its flops
  double solve_entry;  ///< of the factor, in a solve with eight right-hand sides
};

/// L L^T = sign A + shift I for a sparse symmetric A, which must outlive this and not change. Both triangles are
/// stored, no entry twice: a pattern that is not symmetric would write beyond the factor, and is an internal error
/// where it is noticed. The pattern is analysed at once, which tells what the factor will cost. Not for two threads at
/// a time.
///
/// There are two back ends, of which a build has one: ours (sparse_cholesky.cpp, README.md), or Eigen's SimplicialLLT
/// (sparse_cholesky_eigen.cpp) with -DUNROLL_SPARSE=eigen. Both keep what is said here.
class SparseCholesky {
 public:
  /// Throws OutOfMemory where the analysis does not fit.
  SparseCholesky(const SparseMatrix& a, double sign, const Run& run);
  SparseCholesky(SparseMatrix&&, double, const Run&, std::string_view = {}) = delete;
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  ~SparseCholesky();

  double entries() const;                      ///< of the factor
  double flops() const;                        ///< to compute it
  double stored_bytes() const;                 ///< of the factor
  double bytes_to_store() const;               ///< of these, what is not held yet
  double working_bytes(const Run& run) const;  ///< of the factorisation and the solves, beside it
  static CholeskyCosts costs();                ///< of this back end

  /// False: the matrix is not positive definite to rounding. What is known for this shift is not computed again. Throws
  /// Unsupported where the solution would have more rows than can be counted.
  bool factorize(double shift, const Run& run) {
    if (shift_ && *shift_ == shift) return true;
    if (std::find(indefinite_.begin(), indefinite_.end(), shift) != indefinite_.end()) return false;
    shift_.reset();
    if (compute(shift, run)) {
      shift_ = shift;
    } else {
      indefinite_.push_back(shift);
    }
    return shift_.has_value();
  }

  /// x = (sign A + shift I)^-1 b with the last shift; a column per right-hand side.
  void solve(const Array2<double>& b, Array2<double>& x, const Run& run);

 private:
  struct Factor;  // of the back end

  /// The factor for this shift in place of the one that is held; false as of factorize.
  bool compute(double shift, const Run& run);

  std::unique_ptr<Factor> factor_;
  std::optional<double> shift_;     // of the factor that is held
  std::vector<double> indefinite_;  // shifts
};

}  // namespace unroll
