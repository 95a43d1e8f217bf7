#pragma once
#include "unroll/core/run.h"
#include "unroll/core/types.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {

/// The correlation dimension (Grassberger & Procaccia 1983): C(r), the share of pairs of points nearer than r, grows as
/// r^d for small r. d is the slope of log C against log r by least squares, at 32 radii where C is from low_share to
/// high_share, evenly on the scale of log C. It weighs dense regions more than likelihood does, by pairs.
struct CorrelationDimension {
  double dimension = 0;                    ///< 0: too few pairs, or all distances in the range are equal
  double low_radius = 0, high_radius = 0;  ///< of the range, in the unit of the data
  double low_share = 0, high_share = 0;    ///< C at these
  Index pairs = 0;                         ///< whose distances were compared
  bool exact = true;                       ///< these are all pairs
};

/// Of all pairs if there are at most a million, else of as many pairs drawn at random. The range is 0.1 % to 1 % of
/// the pairs, of few pairs the nearest 20 to 200. Pairs of identical points count in C, but begin no range. Only the
/// options `metric`, `p` and `random_state` count.
UNROLL_API CorrelationDimension correlation_dimension(PointsView points, const NeighborOptions& options = {},
                                                      const Run& run = {});

}  // namespace unroll
