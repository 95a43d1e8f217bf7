#pragma once
#include <array>

#include "unroll/core/options.h"

namespace unroll {

/// How eigenpairs of a symmetric operator are computed.
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

/// The solvers for an operator that is never sparse, such as a centered matrix.
enum class FullEigenSolver { Auto, Dense, Lanczos, Randomized };
constexpr auto enum_names(FullEigenSolver) {
  return std::array{Named{FullEigenSolver::Auto, "auto"}, Named{FullEigenSolver::Dense, "dense"},
                    Named{FullEigenSolver::Lanczos, "lanczos"}, Named{FullEigenSolver::Randomized, "randomized"}};
}
constexpr EigenSolver any_solver(FullEigenSolver solver) {
  switch (solver) {
    case FullEigenSolver::Dense: return EigenSolver::Dense;
    case FullEigenSolver::Lanczos: return EigenSolver::Lanczos;
    case FullEigenSolver::Randomized: return EigenSolver::Randomized;
    default: return EigenSolver::Auto;
  }
}
constexpr EigenSolver any_solver(EigenSolver solver) { return solver; }

}  // namespace unroll
