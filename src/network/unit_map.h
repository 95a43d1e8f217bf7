#pragma once
#include <vector>

#include "linalg/centered_points.h"
#include "unroll/network/visible_units.h"

namespace unroll {

/// From points to visible units, v = (scale * x - center) / unit, and back. One unit for all features: errors of
/// reconstruction are those of the data, and can be compared with PCA's.
struct UnitMap {
  double scale = 1;                 ///< a power of two
  std::vector<double> center = {};  ///< in scaled units
  double unit = 0;                  ///< in scaled units; 0: all points are equal, and every v is 0
  double total = 0;                 ///< the sum of the variances of v over the features

  double factor() const { return unit > 0 ? 1 / unit : 0; }
};

/// Gaussian units have mean 0, and variance 1 on average over the features that are not constant; binary ones are from
/// 0 to 1.
UnitMap unit_map(const CenteredPoints& z, VisibleUnits units, const Run& run);
/// All points as visible units.
Array2<float> visible_units(const CenteredPoints& z, const UnitMap& map, const Run& run);

}  // namespace unroll
