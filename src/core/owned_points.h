#pragma once
#include <variant>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Points in memory of our own, in the scalar type in which they came.
using OwnedPoints = std::variant<Array2<double>, Array2<float>>;

inline PointsView view_of(const OwnedPoints& points) {
  return std::visit([](const auto& array) { return PointsView(array); }, points);
}

/// A copy; of these rows only, where any are given.
OwnedPoints copied(PointsView points, const std::vector<Index>& rows = {});

/// A copy as float or double. What is too large for float becomes infinite.
OwnedPoints copied_as(PointsView points, bool is_float);

}  // namespace unroll
