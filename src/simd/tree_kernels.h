#pragma once
#include "unroll/core/types.h"

/// Forces of groups of points, in single precision. Like all of src/simd it exists once per instruction set; the order
/// of every sum is fixed.
namespace unroll::simd {

/// Numbers of groups are multiples of this.
inline constexpr Index kGroupPad = 8;
/// Where padded groups are, of the charge 0.
inline constexpr float kFarGroup = 1e15F;
/// Dimensions that the kernel knows.
inline constexpr Index kGroupDims = 3;

/// LayoutGroups (pull_kernels.h) in single precision.
struct RoundedGroups {
  const float* means;  ///< coordinate after coordinate, `padded` apart
  Index padded;
  Index dims;  ///< at most kGroupDims
  const float* charges;
  const float* spreads;
};

struct TreeKernels {
  /// Cauchy tails, w = 1 / (1 + r^2). For each of `count` places y (rows of `dims`): force = sum over all groups of w^2
  /// (y - mean), and the sum of w, times the charges and with the corrections for spreads.
  void (*repel_groups)(const RoundedGroups& groups, const float* y, Index count, double* force, double* sums);
};

}  // namespace unroll::simd
