#pragma once
#include <span>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// How a point is expressed by its neighbours.
struct WeightsOptions {
  double reg = 1e-3;         ///< regularisation, relative to the trace
  bool nonnegative = false;  ///< keeps the reconstruction within the convex hull of the neighbours
};

/// Memory of one thread, kept between calls.
struct WeightsScratch {
  std::vector<double> matrix = {};
  std::vector<double> factor = {};
  std::vector<double> vector = {};
  std::vector<double> solution = {};
  std::vector<Index> active = {};
};

/// The w of sum 1 that makes |x - sum w_j x_j|^2 + reg tr(C) |w|^2 smallest, where C holds the inner products of the
/// differences x_j - x: (C + reg tr(C) I) w = 1, scaled (Saul & Roweis 2003). With `nonnegative`: the smallest among
/// w >= 0. If all neighbours coincide with the point, they weigh the same. False if the system is singular, as it is
/// with reg = 0 and more neighbours than dimensions.
bool solve_weights(const Array2<double>& gram, const WeightsOptions& options, std::span<double> weights,
                   WeightsScratch& scratch);

enum class WeightsOutcome {
  Solved,
  Corrected,  ///< negative eigenvalues of the inner products were removed
  Singular,
};

/// The same for inner products that may come from distances that are not Euclidean.
WeightsOutcome solve_any_weights(Array2<double>& gram, const WeightsOptions& options, std::span<double> weights,
                                 WeightsScratch& scratch);

}  // namespace unroll
