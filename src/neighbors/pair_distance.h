#pragma once
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The distance of any two points, computed or read from a matrix of distances.
class PairDistance {
 public:
  PairDistance(PointsView points, const NeighborOptions& options, const Run& run);
  PairDistance(const PairDistance&) = delete;
  PairDistance& operator=(const PairDistance&) = delete;

  /// The distance times a constant, for ratios: neither it nor its square overflows or vanishes.
  double scaled(Index i, Index j) const;
  /// That constant.
  double factor() const { return factor_; }
  /// Whether d(a, c) <= d(a, b) + d(b, c), up to rounding in the last digits. Cosine and correlation distances are
  /// squares, haversine distances lose digits near antipodes, and given distances may be anything.
  bool keeps_triangles() const { return has_unit(metric_); }

 private:
  MetricRows rows_;
  Metric metric_;
  double factor_;
  RowDistance distance_;
};

}  // namespace unroll
