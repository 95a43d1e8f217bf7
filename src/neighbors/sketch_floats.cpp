#include "neighbors/sketch_floats.h"

#include <algorithm>

#include "core/parallel.h"

namespace unroll {

SketchFloats sketch_floats(const LocalBlocks& blocks, const Run& run) {
  const LocalBlocks::Coordinates& from = blocks.has_fine() ? blocks.fine() : blocks.coarse();
  const Index size = blocks.size();
  SketchFloats result{
      .points = blocks.rows(), .depth = std::min(size, SketchFloats::kLeading), .stride = (size + 15) / 16 * 16};
  result.rows.resize(static_cast<std::size_t>(checked_size(result.points, result.stride, sizeof(float))));
  result.beyond.resize(static_cast<std::size_t>(result.points));
  result.outside.resize(static_cast<std::size_t>(result.points));
  const auto& dot = simd::kernels().pairs.dot_float;
  parallel_for(run, blocks.blocks(), 1, [&](Index b, Index) {
    const double* center = from.centers.row(b);
    for (Index place = b * LocalBlocks::kBlock; place < b * LocalBlocks::kBlock + blocks.block_size(b); ++place) {
      const float* local = from.row(place);
      float* row = result.rows.data() + place * result.stride;
      for (Index c = 0; c < size; ++c) row[c] = static_cast<float>(center[c] + static_cast<double>(local[c]));
      const auto outside = static_cast<float>(std::max(0.0, center[size] + static_cast<double>(local[size])));
      const auto i = static_cast<std::size_t>(place);
      result.outside[i] = outside * outside;
      result.beyond[i] = outside * outside;
      if (result.has_more())
        result.beyond[i] +=
            dot(row + SketchFloats::kLeading, row + SketchFloats::kLeading, result.stride - SketchFloats::kLeading);
    }
  });
  const float longest = parallel_reduce(
      run, result.points, 4096, 0.0F,
      [&](Index begin, Index end) {
        float most = 0;
        for (Index i = begin; i < end; ++i) most = std::max(most, dot(result.row(i), result.row(i), result.stride));
        return most;
      },
      [](float a, float b) { return std::max(a, b); });
  result.rounding = 1e-6F * longest;
  return result;
}

}  // namespace unroll
