#pragma once
#include "neighbors/row_distance.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The distance of any two of some points, or of a matrix of distances.
class PairDistance {
 public:
  PairDistance(PointsView points, const NeighborOptions& options, const Run& run);
  PairDistance(const PairDistance&) = delete;
  PairDistance& operator=(const PairDistance&) = delete;

  /// Times a constant, so that neither it nor its square overflows or vanishes: for ratios.
  double scaled(Index i, Index j) const;
  /// That constant.
  double factor() const { return factor_; }
  /// d(a, c) <= d(a, b) + d(b, c), but for rounding in the last digits. Cosine and correlation distances are squares,
  /// haversine ones lose digits near antipodes, and given ones are what they are.
  bool keeps_triangles() const { return has_unit(metric_); }

 private:
  MetricRows rows_;
  Metric metric_;
  double factor_;
  RowDistance distance_;
};

}  // namespace unroll
