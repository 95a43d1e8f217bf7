#pragma once
#include <vector>

#include "layout/distance_constraints.h"

namespace unroll {

/// What maximum variance unfolding allows.
struct UnfoldingRules {
  double slack = 0;            ///< |c| may be so much of |b|, c the residuals of the constraints
  bool is_inequality = false;  ///< |y_i - y_j|^2 <= b_ij: only positive residuals count
};

/// The augmented Lagrangian (Hestenes 1969, Powell 1969) of: max tr Y^T Y, the residuals c of the constraints being in
/// the set S, a ball of radius slack |b| (and with inequalities all that is below it):
///
///     f(Y) = -tr Y^T Y + sigma/2 dist(w, S)^2,   w = c(Y) + lambda / sigma,
///
/// with the gradient 2 (A*(mu) - I) Y, mu = sigma (w - its nearest in S). At the solution lambda = mu.
class UnfoldingObjective {
 public:
  UnfoldingObjective(const DistanceConstraints& constraints, const UnfoldingRules& rules);

  void set(std::vector<double> lambda, double sigma);
  const std::vector<double>& lambda() const { return lambda_; }
  double sigma() const { return sigma_; }

  /// Returns f, and sets the gradient and what is asked for below.
  double evaluate(const Array2<double>& y, Array2<double>& gradient, const Run& run);
  const std::vector<double>& multipliers() const { return mu_; }
  double infeasibility() const;              ///< the distance of c from S as the multipliers see it, / |b|
  double radius() const { return radius_; }  ///< of the ball

  /// Finds t > 0 where f(y + t direction) has a slope that is small beside `slope`, that at 0, which is negative; y is
  /// what was evaluated last. Returns 0 if there is none.
  double search(const Array2<double>& y, const Array2<double>& direction, double slope, const Run& run);

 private:
  struct Sums {
    double squares = 0, slope = 0;
  };
  struct AtStep {
    double value, slope;
  };
  Sums sums_at(double t, const Run& run) const;
  AtStep at_step(double t, double tr, double linear, double quadratic, const Run& run) const;

  const DistanceConstraints& constraints_;
  UnfoldingRules rules_;
  double radius_, sigma_ = 1;
  std::vector<double> lambda_, residuals_, w_, mu_;
  DistanceConstraints::Line line_;
};

}  // namespace unroll
