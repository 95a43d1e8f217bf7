#pragma once
#include <string_view>
#include <vector>

#include "affinity/local_fits.h"
#include "eigen/eigen_problem.h"

namespace unroll {

/// A map that landmarks span, and how far it is from being one of eigenvectors.
struct LandmarkMap {
  Array2<double> vectors = {};         ///< one per row, orthonormal, orthogonal to the constant; one more, if there is
  double norm = 0;                     ///< of M, at least
  std::vector<double> residuals = {};  ///< |M v - lambda v|, lambda = v' M v, relative to M's largest diagonal entry
};

/// Locally linear landmarks (Vladymyrov & Carreira-Perpinan 2013): with Y = Z T the smallest pairs of (Z'MZ, Z'Z), of
/// the size of the landmarks, instead of those of M. `z` has a row per point that sums to one, a column per landmark.
LandmarkMap map_by_landmarks(const LocalFits& fits, const SparseMatrix& z, Index n_components, const Run& run);

}  // namespace unroll
