#pragma once
#include <vector>

#include "layout/distance_constraints.h"
#include "layout/unfolding_objective.h"

namespace unroll {

/// What multipliers prove of maximum variance unfolding.
struct UnfoldingBound {
  double trace = 0;     ///< no K that keeps the constraints has a larger trace
  double smallest = 0;  ///< eigenvalue of A*(mu) beside those of the constants, less its residual; 1 at the solution
  Array2<double> directions =
      {};  ///< the vectors of the smallest ones, one per row: below 1 the trace grows along them
};

/// By weak duality: if A*(mu) - I is positive semidefinite on what is orthogonal to the constants, then
///
///     tr K <= <A*(mu), K> = mu . (b + c) <= mu . b + |mu| slack |b|
///
/// for every K >= 0 whose residuals c are allowed. Any mu with a positive smallest eigenvalue becomes such by division;
/// if it has none, its positive part is taken.
UnfoldingBound unfolding_bound(const DistanceConstraints& constraints, const UnfoldingRules& rules,
                               const std::vector<double>& mu, std::uint64_t seed, const Run& run);

}  // namespace unroll
