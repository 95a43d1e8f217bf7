#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eigen/symmetric_operator.h"
#include "unroll/linalg/eigen_solver_choice.h"

namespace unroll {

class SparseCholesky;

enum class SpectrumEnd { Smallest, Largest };  ///< algebraically

/// The request to an eigensolver.
struct EigenProblem {
  SpectrumEnd end = SpectrumEnd::Smallest;
  Index count = 2;
  /// Known eigenvectors, orthonormal, one per row: they are neither searched nor returned. (For instance the null space
  /// of a Laplacian, one vector per component.)
  Array2<double> known = {};
  /// A known lower bound of |A|: tolerances refer to it if all other eigenvalues vanish.
  double norm = 0;
  /// Bounds of the spectrum, if known: a normalised Laplacian lies in [0, 2].
  std::optional<double> lowest = {};
  std::optional<double> highest = {};
  /// The intrinsic dimension of the points, if known: it decides between products and factorisation.
  std::optional<double> dimension = {};
  EigenSolver solver = EigenSolver::Auto;  ///< any other solver runs without a fall-back
  double tolerance = 1e-9;                 ///< of |A v - lambda v|, relative to the norm of A
  /// Wanted eigenvalues are far below the norm of A (LLE: 1e-12 of it) yet accurate relative to themselves: they are
  /// compared relatively, and the shift is as close to 0 as rounding allows.
  bool relative_accuracy = false;
  SparseCholesky* factor = nullptr;  ///< of factor_sign(end) A, analysed already; null: made when it is needed
  std::uint64_t seed = 0;
  /// The advice of an error if memory is short.
  std::string_view memory_advice = "use eigen_solver=lanczos or n_landmarks";
};

/// Pairs in the order in which they were asked for: from the wanted end inward. Groups of equal eigenvalues have a
/// canonical basis, vectors canonical signs (linalg/symmetric_eigen.h).
struct EigenSolution {
  std::vector<double> values = {};
  Array2<double> vectors = {};              ///< one per row
  Array2<double> products = {};             ///< A v, one per row, from the proof
  double norm = 0;                          ///< largest magnitude of an eigenvalue seen, at either end
  std::vector<double> residuals = {};       ///< |A v - lambda v| / norm of A, all proven below the tolerance
  bool last_group_is_cut = false;           ///< the last eigenvalue occurs again after the last pair
  Index iterations = 0;                     ///< products or solves, in blocks; 0: a direct solver
  EigenSolver solver = EigenSolver::Dense;  ///< which one succeeded
  std::vector<std::string> tried = {};      ///< solvers that failed before it, and why
};

/// Throws NotConverged, with the number of pairs that converged and the residual reached, when every solver of the
/// chain misses the tolerance within its cap of operations; OutOfMemory when none fits into the budget,
/// Unsupported when a factor has more rows than can be counted.
EigenSolution solve_eigenproblem(const SymmetricOperator& a, const EigenProblem& problem, const Run& run);

}  // namespace unroll
