#pragma once
#include <optional>

#include "layout/distance_constraints.h"
#include "layout/unfolding_objective.h"

namespace unroll {

/// How well a map keeps the constraints of maximum variance unfolding. With inequalities only residuals above 0 count
/// as violations.
struct UnfoldingFit {
  double violation = 0;  ///< |c| / |b|
  double largest = 0;    ///< max |c| / root mean square of b
  double shrinkage = 0;  ///< -sum c / sum b: by how much squared distances fell
};
UnfoldingFit unfolding_fit(const DistanceConstraints& constraints, const UnfoldingRules& rules, const Array2<double>& y,
                           const Run& run);

/// The largest share <= 1 of K = Y Y^T that the slack allows: the iterations come to its edge from outside. There is no
/// shorter way back: at the solution c is proportional to mu, and A*(mu) Y = Y says that |c| falls fastest where Y
/// shrinks. None if the map misses the slack by more than the slack, or if shrinking does not help.
std::optional<double> allowed_share(const DistanceConstraints& constraints, const UnfoldingRules& rules,
                                    const Array2<double>& y, const Run& run);

}  // namespace unroll
