#include "neighbors/pair_distance.h"

#include "data/validate.h"
#include "neighbors/given_distances.h"

namespace unroll {
namespace {

MetricRows checked_rows(PointsView points, Metric metric, const Run& run) {
  if (metric == Metric::Precomputed) check_distances(points, run);
  check_points(points, 1, run);
  return metric_rows(points, metric, metric_scale(points, run), run);
}

}  // namespace

PairDistance::PairDistance(PointsView points, const NeighborOptions& options, const Run& run)
    : rows_(checked_rows(points, options.metric, run)),
      metric_(options.metric),
      factor_(has_unit(metric_) || metric_ == Metric::Precomputed ? rows_.scale : 1),
      distance_(rows_, rows_, metric_, options.p) {}

double PairDistance::scaled(Index i, Index j) const {
  if (metric_ == Metric::Precomputed)
    return rows_.points.visit([&](auto x) { return given_distance(x, i, j) * factor_; });
  return distance_(i, j) * factor_;
}

}  // namespace unroll
