#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "neighbors/local_blocks.h"
#include "simd/kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A point of an approximate search, as its place in the spatial order: 32 bits are enough for what fits in memory.
using Place = std::int32_t;

/// Points in spatial order, in the coordinates of a sketch. The estimate of a squared distance is the squared length in
/// some leading coordinates plus the squared lengths of both points outside of these. It is the expected value if the
/// outside parts are uncorrelated, and ranks much better than the lower bound.
struct SketchFloats {
  static constexpr Index kLeading = 128;  ///< the most informative coordinates

  Index points = 0;
  Index depth = 0;                  ///< number of leading coordinates
  Index stride = 0;                 ///< a multiple of 16
  std::vector<float> rows = {};     ///< zero beyond the coordinates
  std::vector<float> beyond = {};   ///< squared length outside of the leading coordinates
  std::vector<float> outside = {};  ///< squared length outside of all coordinates
  float rounding = 0;               ///< the error of an estimate is about this

  const float* row(Index i) const { return rows.data() + i * stride; }
  float beyond_of(Index i) const { return beyond[static_cast<std::size_t>(i)]; }
  float outside_of(Index i) const { return outside[static_cast<std::size_t>(i)]; }
  /// Whether there are more than the leading coordinates.
  bool has_more() const { return stride > kLeading; }
  /// The estimate by all coordinates.
  float estimate(Index i, Index j) const {
    return simd::kernels().pairs.squared_float(row(i), row(j), stride) + outside_of(i) + outside_of(j);
  }
  void prefetch(Index i) const {
    for (Index c = 0; c < stride; c += 16) __builtin_prefetch(row(i) + c);
  }
  /// A lower bound of the squared distance of a pair with this estimate by all coordinates.
  double least(float estimate, Index i, Index j) const {
    const auto outer = static_cast<double>(outside_of(i)) * static_cast<double>(outside_of(j));
    return static_cast<double>(estimate) * 0.9999 - 2 * std::sqrt(outer) - static_cast<double>(rounding);
  }
};

/// All coordinates that `blocks` has.
SketchFloats sketch_floats(const LocalBlocks& blocks, const Run& run);

}  // namespace unroll
