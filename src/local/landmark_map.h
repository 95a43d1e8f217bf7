#pragma once
#include <optional>
#include <vector>

#include "linalg/eigen_problem.h"
#include "local/local_fits.h"

namespace unroll {

/// A map that landmarks span, and how far it is from being one of eigenvectors.
struct LandmarkMap {
  Array2<double> vectors = {};         ///< one per row, orthonormal, orthogonal to the constant
  std::vector<double> values = {};     ///< v' M v, ascending
  std::optional<double> next = {};     ///< the value after them; none: there is no more
  double norm = 0;                     ///< of M, at least
  std::vector<double> residuals = {};  ///< |M v - lambda v|, relative to the largest diagonal entry of M
};

/// Locally linear landmarks (Vladymyrov & Carreira-Perpinan 2013): with Y = Z T the smallest pairs of (Z'MZ, Z'Z), of
/// the size of the landmarks, instead of those of M. `z` has a row per point that sums to one, a column per landmark.
LandmarkMap map_by_landmarks(const LocalFits& fits, const SparseMatrix& z, Index n_components, const Run& run);

}  // namespace unroll
