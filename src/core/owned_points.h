#pragma once
#include <variant>
#include <vector>

#include "core/sparse_points.h"
#include "unroll/core/types.h"

namespace unroll {

/// Points in our own memory, in their original scalar type; sparse rows stay sparse.
using OwnedPoints = std::variant<Array2<double>, Array2<float>, SparsePoints>;

inline PointsView view_of(const Array2<double>& points) { return points; }
inline PointsView view_of(const Array2<float>& points) { return points; }
inline PointsView view_of(const SparsePoints& points) { return points.view(); }
inline PointsView view_of(const DensePoints& points) {
  return std::visit([](const auto& array) { return view_of(array); }, points);
}
inline PointsView view_of(const OwnedPoints& points) {
  return std::visit([](const auto& array) { return view_of(array); }, points);
}

inline OwnedPoints owned(DensePoints points) {
  return std::visit([](auto& array) { return OwnedPoints(std::move(array)); }, points);
}

/// A copy; only of `rows` if any are given.
OwnedPoints copied(PointsView points, const std::vector<Index>& rows = {});

/// A copy as float or double. Values that are too large for float become infinite.
OwnedPoints copied_as(PointsView points, bool is_float);

/// A copy of new rows in the scalar type of the training points, and sparse as they are. Throws InvalidData, with the
/// row, for a value that is too large for float.
OwnedPoints copied_alike(PointsView rows, PointsView training);

}  // namespace unroll
