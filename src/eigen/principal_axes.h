#pragma once
#include <string>
#include <vector>

#include "linalg/centered_points.h"
#include "unroll/linalg/axes_solver.h"

namespace unroll {

/// The leading eigenvectors of Z^T Z for centred data Z: directions of largest variance.
struct PrincipalAxes {
  std::vector<double> values = {};  ///< eigenvalues of Z^T Z, descending: all min(n, D), or one per axis (randomized)
  Array2<double> axes = {};         ///< one per row, orthonormal, canonical basis and signs
  std::vector<double> residuals = {};  ///< per axis, relative to the largest eigenvalue
  double total = 0;                    ///< sum of all eigenvalues
  Index rank = 0;                      ///< eigenvalues above rounding among `values`; axes beyond it complete the basis
  Index iterations = 0;
  AxesSolver solver = AxesSolver::Auto;
};

/// How many axes: a whole number, or the fraction of the total that they must hold.
struct AxesWanted {
  double count_or_fraction = 2;
};

/// Auto takes the solver of the lowest cost, predicted from the sizes alone.
PrincipalAxes principal_axes(const CenteredPoints& z, AxesWanted wanted, AxesSolver solver, std::uint64_t seed,
                             const Run& run);

/// Keeps the first axes, `count` of them at most; the eigenvalues stay.
void keep_leading(Index count, PrincipalAxes& axes);

}  // namespace unroll
