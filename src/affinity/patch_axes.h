#pragma once
#include <span>
#include <vector>

#include "affinity/local_geometry.h"
#include "linalg/small_eigen.h"

namespace unroll {

/// The principal axes of a patch in the space of its members: the leading eigenvectors u_j of the Gram matrix G of
/// their positions, which are the tangent coordinates of the members up to the scale sqrt(lambda_j) (Zhang & Zha 2004).
/// If there are fewer features than members, the covariance matrix gives them, u = X q / |X q|; no singular value
/// decomposition is needed. The object keeps its memory from patch to patch: use one per thread.
///
/// Eigenvalues within rounding of zero count as zero and have no axes: identical or collinear members do not determine
/// all directions, and an arbitrary completion would present noise as tangents.
class PatchAxes {
 public:
  /// Eigenvalues about the mean of the members.
  void about_mean(const LocalGeometry& geometry, std::span<const Index> members);
  /// Eigenvalues about the first of `members`, which has no entry in the axes.
  void about_first(const LocalGeometry& geometry, std::span<const Index> members);
  /// The same values only: find_axes must not follow.
  void values_about_first(const LocalGeometry& geometry, std::span<const Index> members);
  /// Then the `count` leading axes, or as many as there are.
  void find_axes(Index count);

  /// Length of an axis.
  Index members() const { return m_; }
  /// The number of positive eigenvalues.
  Index rank() const { return rank_; }
  /// The positive eigenvalues, largest first.
  std::span<const double> values() const { return {values_.data(), static_cast<std::size_t>(rank_)}; }
  /// The share of negative eigenvalues, by magnitude, which distances that are not Euclidean cause. They count as zero.
  double negative_mass() const;
  Index count() const { return count_; }
  /// The axes are orthonormal; about the mean they are also orthogonal to the constants.
  const double* axis(Index j) const { return axes_.row(j); }

 private:
  Array2<double>& products_about_first(const LocalGeometry& geometry, std::span<const Index> members);
  void find_values(Array2<double>& matrix, bool with_vectors);
  double* raw_axis(Index j);

  Index m_ = 0;
  Index rank_ = 0;
  Index count_ = 0;
  bool centered_ = false;
  bool from_rows_ = false;
  Array2<double> rows_ = {};        ///< coordinates, if features are fewer than members; these are the last m rows
  Array2<double> covariance_ = {};  ///< then its eigenvectors
  Array2<double> axes_ = {};        ///< a row each; before that the Gram matrix
  std::vector<double> values_ = {};
  GeometryScratch geometry_ = {};
  SmallEigenScratch eigen_ = {};
};

}  // namespace unroll
