#include "neighbors/pair_distance.h"

#include "data/validate.h"

namespace unroll {
namespace {

MetricRows checked_rows(PointsView points, Metric metric, const Run& run) {
  check_points(NeighborOptions::method_name, points, 1, run);
  return metric_rows(points, metric, metric_scale(points, run), NeighborOptions::method_name, run);
}

/// Distances in the unit of the data need its scale, others are of no unit.
bool has_unit(Metric metric) {
  return metric == Metric::Euclidean || metric == Metric::Manhattan || metric == Metric::Chebyshev ||
         metric == Metric::Minkowski || metric == Metric::Precomputed;
}

}  // namespace

PairDistance::PairDistance(PointsView points, const NeighborOptions& options, const Run& run)
    : rows_(checked_rows(points, options.metric, run)),
      metric_(options.metric),
      factor_(has_unit(metric_) ? rows_.scale : 1),
      distance_(rows_, rows_, metric_, options.p) {}

double PairDistance::scaled(Index i, Index j) const {
  if (metric_ == Metric::Precomputed)
    return rows_.points.visit([&](auto x) { return static_cast<double>(x(i, j)) * factor_; });
  return distance_(i, j) * factor_;
}

}  // namespace unroll
