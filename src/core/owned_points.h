#pragma once
#include <variant>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Points in our own memory, in their original scalar type.
using OwnedPoints = std::variant<Array2<double>, Array2<float>>;

inline PointsView view_of(const OwnedPoints& points) {
  return std::visit([](const auto& array) { return PointsView(array); }, points);
}

/// A copy; only of `rows` if any are given.
OwnedPoints copied(PointsView points, const std::vector<Index>& rows = {});

/// A copy as float or double. Values that are too large for float become infinite.
OwnedPoints copied_as(PointsView points, bool is_float);

/// A copy of new rows in the scalar type of the training points. Throws InvalidData, with the row, for a value that is
/// too large for float.
OwnedPoints copied_alike(PointsView rows, bool is_float);

}  // namespace unroll
