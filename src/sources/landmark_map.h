#pragma once
#include <string_view>
#include <vector>

#include "affinity/local_fits.h"
#include "eigen/eigen_problem.h"

namespace unroll {

/// A map that is spanned by landmarks, and its residuals as eigenvectors of M.
struct LandmarkMap {
  Array2<double> vectors = {};         ///< one per row, orthonormal, orthogonal to the constant; one more, if there is
  double norm = 0;                     ///< a lower bound of |M|
  std::vector<double> residuals = {};  ///< |M v - lambda v|, lambda = v' M v, relative to M's largest diagonal entry
};

/// Locally linear landmarks (Vladymyrov & Carreira-Perpinan 2013): with Y = Z T, solves for the smallest pairs of
/// (Z'MZ, Z'Z), whose side is the number of landmarks, instead of M. M stays that of all points: the landmarks alone
/// would have other neighbourhoods. `z` has a row per point that sums to one, a column per landmark.
LandmarkMap landmark_map(const LocalFits& fits, const SparseMatrix& z, Index n_components, const Run& run);

}  // namespace unroll
