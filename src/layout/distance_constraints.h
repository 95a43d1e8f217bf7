#pragma once
#include <vector>

#include "neighbors/neighbor_pairs.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// The constraints |y_i - y_j|^2 = b_ij of maximum variance unfolding on the rows of a factor Y of K = Y Y^T, and sums
/// over them. A multiplier per constraint makes the matrix A*(mu) = sum mu_ij (e_i - e_j)(e_i - e_j)^T, a Laplacian.
class DistanceConstraints {
 public:
  /// Squares of the pairs' distances must be in the range of double. Every component has a center of its own.
  DistanceConstraints(Index points, const NeighborPairs& pairs, Components components);

  Index points() const { return points_; }
  Index size() const { return std::ssize(squared_); }
  const Components& components() const { return components_; }
  const std::vector<double>& squared() const { return squared_; }  ///< b
  double norm() const { return norm_; }                            ///< of b

  /// A number that other pairs or distances do not have, but by an accident of 2^-52.
  double digest() const;

  /// |y_i - y_j|^2 - b_ij
  void residuals(const Array2<double>& y, std::vector<double>& result, const Run& run) const;
  /// (A*(mu) - I) y
  void dual_product(const std::vector<double>& mu, const Array2<double>& y, Array2<double>& result,
                    const Run& run) const;
  /// What residuals become on the line y + t d: they grow by t linear + t^2 quadratic.
  struct Line {
    std::vector<double> linear = {}, quadratic = {};
  };
  void along(const Array2<double>& y, const Array2<double>& direction, Line& line, const Run& run) const;
  /// A*(mu)
  SparseMatrix laplacian(const std::vector<double>& mu) const;
  /// The same for all entries of y, row after row: the weight of a pair is the matrix mu I + stiffness d d^T, where d
  /// is the difference of its rows.
  SparseMatrix coupled_laplacian(const std::vector<double>& mu, double stiffness, const Array2<double>& y) const;

  /// Moves the mean of every component to the origin.
  void center(Array2<double>& y) const;
  /// Unit vectors that are constant on a component and 0 elsewhere, one per row: the null space of A*(mu).
  Array2<double> constants() const;

 private:
  Index points_;
  Components components_;
  std::vector<Index> first_, second_;
  std::vector<double> squared_;
  double norm_ = 0;
  SparseMatrix pattern_;            ///< with the diagonal; its values are not used
  std::vector<Index> constraints_;  ///< of its entries; -1: the diagonal
};

}  // namespace unroll
