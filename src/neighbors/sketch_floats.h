#pragma once
#include <algorithm>
#include <vector>

#include "neighbors/candidate_lists.h"
#include "neighbors/local_blocks.h"
#include "simd/kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Points in spatial order, in the coordinates of a sketch. The estimate of a squared distance is the squared length in
/// these coordinates plus the squared lengths of both points outside of them. It is the expected value if the outside
/// parts are uncorrelated, and ranks much better than the lower bound.
struct SketchFloats {
  static constexpr Index kLeading = 64;  ///< the most informative coordinates

  Index points = 0;
  Index stride = 0;                 ///< a multiple of 16
  std::vector<float> rows = {};     ///< zero beyond the coordinates
  std::vector<float> outside = {};  ///< length outside of the coordinates
  float rounding = 0;               ///< the error of an estimate is about this

  const float* row(Index i) const { return rows.data() + i * stride; }
  float outside_of(Index i) const { return outside[static_cast<std::size_t>(i)]; }
  /// If the leading coordinates alone reach `limit`, the others are skipped: the pair is too far in any case.
  float estimate(Index i, Index j, float limit) const {
    const simd::PairKernels& kernels = simd::kernels().pairs;
    const Index leading = std::min(stride, kLeading);
    const float most =
        kernels.squared_float(row(i), row(j), leading) + outside_of(i) * outside_of(i) + outside_of(j) * outside_of(j);
    if (!(most < limit) || leading == stride) return most;
    return most + kernels.squared_float(row(i) + leading, row(j) + leading, stride - leading);
  }
  void prefetch(Index i) const {
    for (Index c = 0; c < std::min(stride, kLeading); c += 16) __builtin_prefetch(row(i) + c);
  }
  /// A lower bound of the squared distance of a pair with this estimate.
  float least(float estimate, Index i, Index j) const {
    return estimate * 0.9999F - 2 * outside_of(i) * outside_of(j) - rounding;
  }
};

/// All coordinates that `blocks` has.
SketchFloats sketch_floats(const LocalBlocks& blocks, const Run& run);

}  // namespace unroll
