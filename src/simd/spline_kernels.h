#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Points and a regular grid of numbers in the plane, joined by B-splines of order 6 (degree 5). Like all of src/simd
/// it exists once per instruction set.
namespace unroll::simd {

inline constexpr Index kSplineOrder = 6;
/// Numbers of a row that are read and written for a point: its weights and two zeros, a whole vector register.
inline constexpr Index kSplineWidth = 8;

struct SplineMesh {
  double origin[2];  ///< of the node (0, 0)
  double per_cell;   ///< 1 / the side of a cell
  Index cols;        ///< numbers in a row; there is a row per node along the first dimension
};

/// The smooth function at a place, and its slopes per cell.
struct SplineValue {
  float value;
  float slope[2];
};

struct SplineKernels {
  /// Adds the charges of points to the nodes around them, in the order of `points`, numbers of rows of `map`. A map of
  /// one dimension lies on the line where the second coordinate is 0. `charges`, by the number of the point: all 1 if
  /// there are none.
  void (*spread)(const SplineMesh& mesh, const double* map, Index dims, const std::int32_t* points, Index count,
                 const float* charges, float* values);
  /// The function at the places of points, in the same order.
  void (*gather)(const SplineMesh& mesh, const float* values, const double* map, Index dims, const std::int32_t* points,
                 Index count, SplineValue* out);
};

}  // namespace unroll::simd
