#pragma once
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The distance of two points, from their differences in double: no cancellation, and, in units of a power of two, no
/// overflow. Symmetric to the last bit.
class PairDistance {
 public:
  PairDistance(PointsView points, const NeighborOptions& options, const Run& run);

  double operator()(Index i, Index j) const { return scaled(i, j) / scale_; }
  /// The same times a constant, which neither overflows nor vanishes: for ratios.
  double scaled(Index i, Index j) const;

 private:
  PointsView points_;
  Metric metric_;
  double scale_;
};

}  // namespace unroll
