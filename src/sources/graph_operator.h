#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "affinity/affinity.h"
#include "eigen/symmetric_operator.h"
#include "spectral/recipe.h"

namespace unroll {

/// A = diagonal + sign S W S, S = diag(s): the form of every operator of a graph. Another library's solver needs only W
/// and this.
struct Combination {
  std::vector<double> diagonal = {};
  std::vector<double> s = {};  ///< empty: ones
  double sign = 1;

  double factor(Index i) const { return s.empty() ? 1 : s[static_cast<std::size_t>(i)]; }
};

/// The combination that a rule for graphs makes of W with these row sums.
Combination combination(OperatorRule rule, const std::vector<double>& degrees);

/// The operator that a row of the table makes of W, as a symmetric matrix: D - W, or I - D^-1/2 W D^-1/2 for both
/// normalised Laplacians, or D^-1/2 W D^-1/2, which is similar to D^-1 W.
struct GraphOperator {
  std::unique_ptr<SymmetricOperator> a = {};
  std::vector<Index> order = {};  ///< row k of `a` belongs to point order[k]; empty: to point k
  std::vector<double> degrees = {};
  /// Converts an eigenvector of `a` to one of the row's own matrix: D^-1/2 if that is only similar to `a`; empty: no
  /// change.
  std::vector<double> back = {};
  /// The trivial eigenvectors of `a`, one per component, all in one vector: the constant, or D^1/2 times it, of length
  /// one on every component.
  std::vector<double> trivial = {};
  double trivial_value = 0;
  double norm = 0;                                  ///< a lower bound of |A|
  std::optional<double> lowest = {}, highest = {};  ///< known bounds of the spectrum
};

/// A point without edges is a component of its own; its row of the operator has the trivial eigenvalue.
/// `order` is for `a` alone, and for a sparse W.
GraphOperator graph_operator(OperatorRule rule, const Affinity& affinity, const Run& run,
                             std::vector<Index> order = {});

/// W_ij / (q_i q_j)^alpha, q the row sums.
void divide_by_density(Affinity& affinity, const std::vector<double>& density, const Run& run);
/// q^alpha
std::vector<double> density_of(const Affinity& affinity, double alpha, const Run& run);

}  // namespace unroll
