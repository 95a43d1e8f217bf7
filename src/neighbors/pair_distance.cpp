#include "neighbors/pair_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/validate.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// A power of two that brings the largest value below one.
double unit_scale(double largest) {
  constexpr int kMost = 1000;  // the range of normal numbers
  return largest == 0 ? 1 : std::ldexp(1.0, -std::clamp(std::ilogb(largest) + 1, -kMost, kMost));
}

}  // namespace

PairDistance::PairDistance(PointsView points, const NeighborOptions& options, const Run& run)
    : points_(points),
      metric_(options.metric),
      scale_(unit_scale(check_points(NeighborOptions::method_name, points, 1, run).max_abs)) {
  if (metric_ == Metric::Euclidean || metric_ == Metric::Precomputed) return;
  throw Error(ErrorKind::Unsupported,
              fmt::format("neighbors: metric={} is not supported here; use euclidean, or precomputed distances",
                          name_of(metric_)));
}

double PairDistance::scaled(Index i, Index j) const {
  return points_.visit([&](auto x) {
    if (metric_ == Metric::Precomputed) return static_cast<double>(x(i, j)) * scale_;
    double sum = 0;
    for (Index c = 0; c < x.cols; ++c) {
      const double difference = scale_ * static_cast<double>(x(i, c)) - scale_ * static_cast<double>(x(j, c));
      sum += difference * difference;
    }
    return std::sqrt(sum);
  });
}

}  // namespace unroll
