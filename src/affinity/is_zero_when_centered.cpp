#include "affinity/is_zero_when_centered.h"

#include <algorithm>
#include <cmath>

#include "affinity/centered_operator.h"
#include "affinity/kernel_source.h"
#include "core/random.h"

namespace unroll {
namespace {

constexpr double kRounding = 64 * 0x1p-52;

/// The largest W_00 + W_ii - 2 W_0i over all i, and the scale to compare it with. For a kernel it is a squared distance
/// from the first point in feature space.
struct FromFirst {
  double farthest = 0;
  double scale = 0;
};
FromFirst from_first(const Similarities& w, const Run& run) {
  const std::vector<double> diagonal = diagonal_of(w.matrix);
  const Array2<double> first = columns_of(w.matrix, run).columns({0});
  FromFirst result;
  for (Index i = 0; i < w.size(); ++i) {
    const double own = diagonal[static_cast<std::size_t>(i)];
    result.farthest = std::max(result.farthest, std::abs(diagonal.front() + own - 2 * first(i, 0)));
    result.scale = std::max({result.scale, std::abs(own), std::abs(first(i, 0))});
  }
  return result;
}

}  // namespace

bool is_zero_when_centered(const Similarities& w, const Run& run) {
  constexpr Index kVectors = 4;
  const FromFirst distances = from_first(w, run);
  if (distances.farthest > kRounding * distances.scale) return false;
  // If W is positive semidefinite, distances of 0 from one point prove it; otherwise products with random vectors do.
  const Random random(0, "spectral.vanishing");
  Array2<double> x(w.size(), kVectors), y(w.size(), kVectors);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  CenteredOperator(w).apply(x, y, run);
  const double rounding = kRounding * std::sqrt(static_cast<double>(w.size())) * distances.scale;
  return std::all_of(y.data(), y.data() + y.size(), [&](double v) { return std::abs(v) <= rounding; });
}

}  // namespace unroll
