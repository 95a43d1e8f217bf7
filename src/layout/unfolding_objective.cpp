#include "layout/unfolding_objective.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/parallel.h"
#include "layout/limited_memory_bfgs.h"

namespace unroll {
namespace {

constexpr Index kSummedPairs = 4096;

}  // namespace

UnfoldingObjective::UnfoldingObjective(const DistanceConstraints& constraints, const UnfoldingRules& rules)
    : constraints_(constraints),
      rules_(rules),
      radius_(rules.slack * constraints.norm()),
      lambda_(at(constraints.size())),
      w_(at(constraints.size())),
      mu_(at(constraints.size())) {}

void UnfoldingObjective::set(std::vector<double> lambda, double sigma) {
  lambda_ = std::move(lambda);
  sigma_ = sigma;
}

double UnfoldingObjective::evaluate(const Array2<double>& y, Array2<double>& gradient, const Run& run) {
  constraints_.residuals(y, residuals_, run);
  double squares = 0;
  for (std::size_t e = 0; e < w_.size(); ++e) {
    w_[e] = residuals_[e] + lambda_[e] / sigma_;
    const double counted = rules_.is_inequality ? std::max(w_[e], 0.0) : w_[e];
    squares += counted * counted;
  }
  const double length = std::sqrt(squares), excess = std::max(0.0, length - radius_);
  const double factor = excess > 0 ? sigma_ * excess / length : 0;
  for (std::size_t e = 0; e < w_.size(); ++e) mu_[e] = factor * (rules_.is_inequality ? std::max(w_[e], 0.0) : w_[e]);
  constraints_.dual_product(mu_, y, gradient, run);
  constraints_.center(gradient);  // the trace is that of centred rows: no force moves all of them
  for (Index i = 0; i < gradient.size(); ++i) gradient.data()[i] *= 2;
  return sigma_ / 2 * excess * excess - inner(y, y);
}

double UnfoldingObjective::infeasibility() const {
  double squares = 0;
  for (std::size_t e = 0; e < mu_.size(); ++e) squares += (mu_[e] - lambda_[e]) * (mu_[e] - lambda_[e]);
  return constraints_.norm() > 0 ? std::sqrt(squares) / sigma_ / constraints_.norm() : 0;
}

UnfoldingObjective::Sums UnfoldingObjective::sums_at(double t, const Run& run) const {
  return parallel_reduce(
      run, constraints_.size(), kSummedPairs, Sums{},
      [&](Index begin, Index end) {
        Sums sums;
        for (Index e = begin; e < end; ++e) {
          const double linear = line_.linear[at(e)], quadratic = line_.quadratic[at(e)];
          double w = w_[at(e)] + t * (linear + t * quadratic);
          if (rules_.is_inequality) w = std::max(w, 0.0);
          sums.squares += w * w;
          sums.slope += w * (linear + 2 * t * quadratic);
        }
        return sums;
      },
      [](Sums a, Sums b) {
        return Sums{a.squares + b.squares, a.slope + b.slope};
      });
}

UnfoldingObjective::AtStep UnfoldingObjective::at_step(double t, double tr, double linear, double quadratic,
                                                       const Run& run) const {
  const Sums sums = sums_at(t, run);
  const double length = std::sqrt(sums.squares), excess = std::max(0.0, length - radius_);
  return {sigma_ / 2 * excess * excess - (tr + t * (2 * linear + t * quadratic)),
          (excess > 0 ? sigma_ * excess / length * sums.slope : 0) - 2 * (linear + t * quadratic)};
}

double UnfoldingObjective::search(const Array2<double>& y, const Array2<double>& direction, double slope,
                                  const Run& run) {
  constexpr double kFlatEnough = 0.1, kRounding = 1e-12;
  constexpr int kMostTrials = 40;
  constraints_.along(y, direction, line_, run);
  const double tr = inner(y, y), linear = inner(y, direction), quadratic = inner(direction, direction);
  const double before = at_step(0, tr, linear, quadratic, run).value;
  double low = 0, low_slope = slope, high = 0, high_slope = 0, t = 1;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    const AtStep here = at_step(t, tr, linear, quadratic, run);
    const bool is_lower = here.value <= before + kRounding * std::abs(before);
    if (is_lower && std::abs(here.slope) <= kFlatEnough * std::abs(slope)) return t;
    if (is_lower && here.slope < 0) {
      low = t, low_slope = here.slope;
    } else {
      high = t, high_slope = here.slope;
    }
    if (high == 0) {
      t *= 2;
      continue;
    }
    // Where a line through both slopes is 0, but not too near an end.
    const double share = high_slope > 0 ? -low_slope / (high_slope - low_slope) : 0.5;
    t = low + std::clamp(share, 0.1, 0.9) * (high - low);
  }
  return low;
}

}  // namespace unroll
