#include "neighbors/sketch_floats.h"

#include <algorithm>

#include "core/parallel.h"

namespace unroll {

SketchFloats sketch_floats(const LocalBlocks& blocks, const Run& run) {
  const LocalBlocks::Coordinates& from = blocks.has_fine() ? blocks.fine() : blocks.coarse();
  const Index size = blocks.size();
  SketchFloats result{.points = blocks.rows(), .stride = (size + 15) / 16 * 16};
  result.rows.resize(static_cast<std::size_t>(checked_size(result.points, result.stride, sizeof(float))));
  result.outside.resize(static_cast<std::size_t>(result.points));
  parallel_for(run, blocks.blocks(), 1, [&](Index b, Index) {
    const double* center = from.centers.row(b);
    for (Index place = b * LocalBlocks::kBlock; place < b * LocalBlocks::kBlock + blocks.block_size(b); ++place) {
      const float* local = from.row(place);
      float* row = result.rows.data() + place * result.stride;
      for (Index c = 0; c < size; ++c) row[c] = static_cast<float>(center[c] + static_cast<double>(local[c]));
      result.outside[static_cast<std::size_t>(place)] =
          static_cast<float>(std::max(0.0, center[size] + static_cast<double>(local[size])));
    }
  });
  float longest = 0;
  for (Index i = 0; i < result.points; ++i)
    longest = std::max(longest, simd::kernels().pairs.dot_float(result.row(i), result.row(i), result.stride));
  result.rounding = 1e-6F * longest;
  return result;
}

}  // namespace unroll
