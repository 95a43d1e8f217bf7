#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Forces along the edges of a map that is optimised. Like all of src/simd they exist once per instruction set; the
/// order of every sum is fixed.
namespace unroll::simd {

/// Edges of a point are padded to a multiple of this many, by edges of no weight.
inline constexpr Index kEdgeGroup = 8;

/// Edges of points, both directions stored: those of point i are [offsets[i], offsets[i+1]), a multiple of kEdgeGroup.
struct LayoutEdges {
  const Index* offsets;
  const std::int32_t* columns;
  const float* weights;
};

/// Floats from one point to the next in a map of single precision: a point of three dimensions is one load of four.
constexpr Index edge_stride(Index dims) { return dims == 3 ? 4 : dims; }

struct EdgeKernels {
  /// For the points [begin, end): force = sum over the edges of p w (y - y_c), w = 1 / (1 + r^2 inverse_dof). In single
  /// precision; `map` has edge_stride(dims) floats per point, `force` `dims` numbers from that of `begin` on.
  void (*pull)(const LayoutEdges& edges, const float* map, Index dims, float inverse_dof, Index begin, Index end,
               double* force);
  /// The sum over the edges of the points [begin, end) of p log(1 + r^2 inverse_dof), in double precision.
  double (*log_tails)(const LayoutEdges& edges, const double* map, Index dims, double inverse_dof, Index begin,
                      Index end);
};

}  // namespace unroll::simd
