#include "layout/unfolding_fit.h"

#include <algorithm>
#include <cmath>

namespace unroll {
namespace {

/// |c| and its derivative by the share s, where c = s (b + c(Y)) - b.
struct Length {
  double value = 0, slope = 0;
};
Length length_at(double share, const std::vector<double>& c, const std::vector<double>& b, bool is_inequality) {
  double squares = 0, products = 0;
  for (std::size_t e = 0; e < c.size(); ++e) {
    const double residual = share * (b[e] + c[e]) - b[e];
    if (is_inequality && residual <= 0) continue;
    squares += residual * residual;
    products += residual * (b[e] + c[e]);
  }
  const double length = std::sqrt(squares);
  return {length, length > 0 ? products / length : 0};
}

}  // namespace

UnfoldingFit unfolding_fit(const DistanceConstraints& constraints, const UnfoldingRules& rules, const Array2<double>& y,
                           const Run& run) {
  std::vector<double> residuals;
  constraints.residuals(y, residuals, run);
  double squares = 0, largest = 0, fallen = 0, sum = 0;
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    const double c = residuals[e], broken = rules.is_inequality ? std::max(c, 0.0) : std::abs(c);
    squares += broken * broken;
    largest = std::max(largest, broken);
    fallen -= c, sum += constraints.squared()[e];
  }
  if (!(sum > 0)) return {};
  const double norm = constraints.norm(), mean = norm / std::sqrt(static_cast<double>(constraints.size()));
  return {.violation = std::sqrt(squares) / norm, .largest = largest / mean, .shrinkage = fallen / sum};
}

std::optional<double> allowed_share(const DistanceConstraints& constraints, const UnfoldingRules& rules,
                                    const Array2<double>& y, const Run& run) {
  constexpr double kLittle = 1, kInside = 1e-9;  // both of the slack
  constexpr int kMostSteps = 50;
  const double radius = rules.slack * constraints.norm();
  std::vector<double> residuals;
  constraints.residuals(y, residuals, run);
  const auto length = [&](double share) {
    return length_at(share, residuals, constraints.squared(), rules.is_inequality);
  };
  Length here = length(1);
  if (here.value <= radius) return 1;
  if (here.value > (1 + kLittle) * radius) return {};
  // Newton's steps on a convex function, from above its root: they go down to one that is inside by less than rounding.
  double share = 1;
  for (int step = 0; step < kMostSteps && here.value > radius; ++step) {
    if (!(here.slope > 0)) return {};
    share -= (here.value - (1 - kInside) * radius) / here.slope;
    if (!(share > 0)) return {};
    here = length(share);
  }
  return here.value <= radius ? std::optional(share) : std::nullopt;
}

}  // namespace unroll
