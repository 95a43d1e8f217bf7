#pragma once
#include <array>
#include <vector>

#include "unroll/core/types.h"

/// Places of points in a picture: where most of them are is in its middle, and maps are turned to match each other.
namespace unroll {

/// An orthogonal 2 x 2 matrix, row after row.
using Turn = std::array<double, 4>;

/// What maps are turned to: columns of the truth, or the first map. Two numbers per row that is drawn, in units of the
/// window of most points.
struct MapReference {
  std::vector<double> at = {};
  /// The second column has no meaning: axes may change their direction and no more.
  bool is_line = false;
};

/// x and y of one point after the other. -1 to 1 is the window that holds 1 to 99 % of the points on the wider axis, so
/// that a few outliers do not leave the others a speck. A point's own coordinates are center + half * turn^T at.
struct DrawnMap {
  std::vector<float> at = {};
  std::array<double, 2> center = {};
  double half = 1;
  Turn turn = {1, 0, 0, 1};
};

MapReference map_reference(PointsView points, const std::vector<Index>& rows);

/// The turn, or the reflection, that brings a shape nearest to another one: T of the largest sum of y . T x
/// (Procrustes; Schoenemann 1966, in the plane). Both shapes are numbers of two columns without their means.
Turn best_turn(const std::vector<double>& x, const std::vector<double>& y);

DrawnMap drawn_map(const Array2<double>& map, const MapReference& reference, const std::vector<Index>& rows);

/// The points as they are, on axes of one scale, between -1 and 1.
std::vector<float> drawn_points(PointsView points, const std::vector<Index>& rows);

}  // namespace unroll
