#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// Ways to eigenpairs of a symmetric operator.
enum class EigenSolver {
  Auto,         ///< the one of the lowest predicted cost
  Dense,        ///< LAPACK, on the full matrix
  Lanczos,      ///< products with the operator alone: block Lanczos with thick restarts
  ShiftInvert,  ///< a sparse Cholesky factorisation near the wanted end, then Lanczos on its inverse
  Randomized,   ///< block Krylov iteration from a random start, for dense kernels
};
constexpr auto enum_names(EigenSolver) {
  return std::array{Named{EigenSolver::Auto, "auto"}, Named{EigenSolver::Dense, "dense"},
                    Named{EigenSolver::Lanczos, "lanczos"}, Named{EigenSolver::ShiftInvert, "shift_invert"},
                    Named{EigenSolver::Randomized, "randomized"}};
}

}  // namespace unroll
