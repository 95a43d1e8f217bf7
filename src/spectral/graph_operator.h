#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "affinity/affinity.h"
#include "eigen/symmetric_operator.h"
#include "spectral/recipe.h"

namespace unroll {

/// What a row of the table makes of W, as a symmetric matrix: D - W, or I - D^-1/2 W D^-1/2 for both normalised
/// Laplacians, or D^-1/2 W D^-1/2, to which D^-1 W is similar.
struct GraphOperator {
  std::unique_ptr<SymmetricOperator> a = {};
  std::vector<Index> order = {};  ///< row k of `a` is of point order[k]; empty: of point k
  std::vector<double> degrees = {};
  /// Takes an eigenvector of `a` to one of the row's own matrix: D^-1/2 where that is similar only; empty: no change.
  std::vector<double> back = {};
  /// What the trivial eigenvectors of `a` are made of, one per component: the constant, or D^1/2 of it, of length one
  /// on every component.
  std::vector<double> trivial = {};
  double trivial_value = 0;
  double norm = 0;                                  ///< |A| is no smaller
  std::optional<double> lowest = {}, highest = {};  ///< bounds of the spectrum that are known
};

/// A point without edges is a component of its own, and its row of the operator is that of the trivial eigenvalue.
/// `order` is for `a` alone, and for a sparse W.
GraphOperator graph_operator(OperatorRule rule, const Affinity& affinity, const Run& run,
                             std::vector<Index> order = {});

/// W_ij / (q_i q_j)^alpha, q the row sums.
void divide_by_density(Affinity& affinity, const std::vector<double>& density, const Run& run);
/// q^alpha
std::vector<double> density_of(const Affinity& affinity, double alpha, const Run& run);

}  // namespace unroll
