#include "eigen/minka_dimension.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/at.h"

namespace unroll {
namespace {

constexpr double kFloor = 1e-15;  // of the largest eigenvalue: below it there is nothing but rounding

/// log Gamma(s / 2) - s / 2 log pi - log 2: the terms of the volume of the space of axes, for s = D, D - 1, ...
double volume_term(Index s) {
  const double half = static_cast<double>(s) / 2;
  return std::lgamma(half) - half * std::log(std::numbers::pi) - std::numbers::ln2;
}

/// The logarithm of the evidence of `rank` axes; `values` have the largest 1.
double log_evidence(std::span<const double> values, Index rank, double n, double volume) {
  const Index d = std::ssize(values);
  if (values[at(rank - 1)] < kFloor) return -std::numeric_limits<double>::infinity();
  double kept = 0, left = 0;
  for (Index i = 0; i < d; ++i) (i < rank ? kept : left) += i < rank ? std::log(values[at(i)]) : values[at(i)];
  const double noise = std::max(kFloor, left / static_cast<double>(d - rank));
  // log |A|, A the Hessian at the maximum: a factor for every pair of a kept axis and a later one.
  double hessian = 0;
  for (Index i = 0; i < rank; ++i)
    for (Index j = i + 1; j < d; ++j) {
      const double other = j < rank ? values[at(j)] : noise;
      const double apart = std::max(values[at(i)] - values[at(j)], kFloor);
      hessian += std::log(apart * std::max(1 / other - 1 / values[at(i)], kFloor)) + std::log(n);
    }
  const auto k = static_cast<double>(rank), size = static_cast<double>(d);
  const double parameters = size * k - k * (k + 1) / 2;
  return volume - n / 2 * kept - n * (size - k) / 2 * std::log(noise) +
         (parameters + k) / 2 * std::log(2 * std::numbers::pi) - hessian / 2 - k / 2 * std::log(n);
}

}  // namespace

Index minka_dimension(std::span<const double> values, Index n) {
  const Index d = std::ssize(values);
  if (d == 0 || !(values[0] > 0)) return 0;
  std::vector<double> shares(values.begin(), values.end());
  for (double& share : shares) share = std::max(0.0, share / values[0]);
  Index best = std::min<Index>(1, d - 1);
  double most = -std::numeric_limits<double>::infinity(), volume = 0;
  for (Index rank = 1; rank < d; ++rank) {
    volume += volume_term(d - rank + 1);
    const double evidence = log_evidence(shares, rank, static_cast<double>(n), volume);
    if (evidence <= most) continue;
    most = evidence;
    best = rank;
  }
  return best;
}

}  // namespace unroll
