#include "layout/unfolding_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "eigen/eigen_problem.h"
#include "eigen/operators.h"

namespace unroll {
namespace {

/// A lower bound of the first eigenvalue that was found: some eigenvalue is within the residual of it.
double least_value(const EigenSolution& pairs) { return pairs.values.front() - pairs.residuals.front() * pairs.norm; }

EigenSolution smallest_pairs(const DistanceConstraints& constraints, const std::vector<double>& mu, Index count,
                             std::uint64_t seed, const Run& run) {
  constexpr double kTolerance = 1e-8;
  const SparseOperator laplacian(constraints.laplacian(mu));
  return solve_eigenproblem(laplacian,
                            {.end = SpectrumEnd::Smallest,
                             .count = std::min(count, constraints.points() - constraints.components().count()),
                             .known = constraints.constants(),
                             .tolerance = kTolerance,
                             .seed = seed},
                            run);
}

double dual_value(const DistanceConstraints& constraints, const UnfoldingRules& rules, const std::vector<double>& mu) {
  double product = 0, squares = 0;
  for (std::size_t e = 0; e < mu.size(); ++e) product += mu[e] * constraints.squared()[e], squares += mu[e] * mu[e];
  return product + rules.slack * constraints.norm() * std::sqrt(squares);
}

}  // namespace

UnfoldingBound unfolding_bound(const DistanceConstraints& constraints, const UnfoldingRules& rules,
                               const std::vector<double>& mu, std::uint64_t seed, const Run& run) {
  constexpr Index kDirections = 3;
  constexpr double kFloor = 1e-3;  // of the mean multiplier, where it is not positive
  EigenSolution pairs = smallest_pairs(constraints, mu, kDirections, seed, run);
  UnfoldingBound bound{.smallest = least_value(pairs), .directions = std::move(pairs.vectors)};
  if (bound.smallest > 0) {
    bound.trace = dual_value(constraints, rules, mu) / bound.smallest;
    return bound;
  }
  double mean = 0;
  for (const double value : mu) mean += std::abs(value) / static_cast<double>(mu.size());
  std::vector<double> positive = mu;
  for (double& value : positive) value = std::max(value, mean > 0 ? kFloor * mean : 1);
  const double least = least_value(smallest_pairs(constraints, positive, 1, seed, run));
  bound.trace = least > 0 ? dual_value(constraints, rules, positive) / least : std::numeric_limits<double>::max();
  return bound;
}

}  // namespace unroll
