#pragma once
#include <memory>
#include <vector>

#include "layout/distance_constraints.h"
#include "sparse/sparse_cholesky.h"

namespace unroll {

/// A guess of the second derivatives of an UnfoldingObjective, which has a sparse factor:
///
///     H = 2 A*(lambda) - 2 I + 4 stiffness sum_e (d_e d_e^T) (e_i - e_j)(e_i - e_j)^T,   d_e = y_i - y_j,
///
/// with + instead of - 2 I. As a whole if its factor is cheap; else column by column of Y, where the columns along the
/// sheet are stiff and those across it are not; else only its diagonal.
class UnfoldingCurvature {
 public:
  struct Effort {
    Index alone = 2;              ///< column by column the first ones have a matrix each, and the others share one
    bool is_small_effort = true;  ///< as a whole only for few points: iterations cost more, but fewer are exact
    double coupled_flops = 4e9;   ///< the factor as a whole may take
    double flops = 1e10;          ///< a factor of columns may take
  };
  /// The constraints must outlive this.
  UnfoldingCurvature(const DistanceConstraints& constraints, const Array2<double>& y, const std::vector<double>& lambda,
                     double stiffness, const Effort& effort, const Run& run);

  /// gradient := H^-1 gradient, with rows of the mean 0 in every component if those of the gradient have it.
  void divide(Array2<double>& gradient, const Run& run) const;

 private:
  struct Block {
    Index first, last;  ///< columns [first, last)
    SparseMatrix matrix = {};
    std::unique_ptr<SparseCholesky> factor = {};  ///< null: only the diagonal counts
    std::vector<double> diagonal = {};
  };
  enum class Added { Yes, TooCostly, Indefinite };
  Added add_block(Block block, double most_flops, const Run& run);
  void add_columns(Index first, Index last, const Array2<double>& y, const std::vector<double>& lambda,
                   double stiffness, double most_flops, const Run& run);

  const DistanceConstraints& constraints_;
  bool is_coupled_ = false;                     ///< one matrix for all entries
  std::vector<std::unique_ptr<Block>> blocks_;  ///< at places that the factors know
};

}  // namespace unroll
