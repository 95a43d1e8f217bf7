#include "layout/grid_level.h"

#include <algorithm>
#include <cmath>

#include "core/at.h"

namespace unroll {
namespace {

/// Lengths of transforms, each about an eighth above the last: few, so that the spectrum of a kernel is seldom made
/// again while a map grows.
Index length_of_transform(Index least) {
  constexpr Index kUnit = 16;
  constexpr std::array kLengths{4,  5,  6,  8,  9,  10, 12, 15, 16,  18,  20,  24,  27,  30,  32,  36,  40, 45,
                                48, 54, 60, 64, 72, 80, 90, 96, 108, 120, 128, 144, 160, 180, 192, 216, 240};
  for (const Index length : kLengths)
    if (length * kUnit >= least) return length * kUnit;
  return kLengths.back() * kUnit;
}

/// The sizes for a map of this width.
ConvolutionSize size_for(double width, double cell, double reach) {
  const Index nodes = static_cast<Index>(std::ceil(width / cell)) + SplineGrid::kMargins;
  if (std::isinf(reach)) {
    const Index length = length_of_transform(2 * nodes);
    return {length / 2, length};
  }
  const Index gap = (static_cast<Index>(std::ceil(reach / cell)) + 1) / 2 * 2,
              length = length_of_transform(nodes + gap);
  return {length - gap, length};
}

/// Sum over m of M_6(m) exp(-i m angle): what spreading to the nodes and back leaves of a wave, twice.
double spline_filter(double angle) {
  const double once = (66 + 52 * std::cos(angle) + 2 * std::cos(2 * angle)) / 120;
  return once * once;
}

}  // namespace

void GridLevel::lay(const KernelPart& kernel, double cell, const MapExtent& extent, const Array2<double>& map,
                    const Run& run) {
  constexpr std::size_t kKept = 4;
  std::array<ConvolutionSize, 2> sizes;
  GridBox box{.cell = cell};
  for (std::size_t d = 0; d < 2; ++d) {
    sizes[d] = size_for(extent.high[d] - extent.low[d], cell, kernel.reach);
    box.sides[d] = sizes[d].nodes;
    box.origin[d] = extent.low[d] - cell * static_cast<double>(SplineGrid::kMargin);
  }
  grid_.lay(box, map, run);
  mesh_ = nullptr;
  for (Mesh& mesh : meshes_)
    if (mesh.cell == cell && mesh.convolution->rows() == sizes[0] && mesh.convolution->cols() == sizes[1])
      mesh_ = &mesh;
  if (mesh_ != nullptr) return;
  const auto between = [&](Index a, Index b) { return kernel.value(cell * cell * static_cast<double>(a * a + b * b)); };
  if (meshes_.size() == kKept) meshes_.erase(meshes_.begin());
  meshes_.push_back({cell, std::make_unique<GridConvolution>(sizes[0], sizes[1], between, spline_filter, run)});
  mesh_ = &meshes_.back();
}

void GridLevel::make(const Array2<double>& map, const std::vector<float>& charges, const Run& run) {
  grid_.spread(map, charges, run);
  mesh_->convolution->apply(grid_.values(), run);
}

}  // namespace unroll
