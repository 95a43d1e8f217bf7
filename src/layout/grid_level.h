#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "layout/grid_convolution.h"
#include "layout/spline_grid.h"

namespace unroll {

/// A kernel, or a part of one, as a function of the squared distance.
struct KernelPart {
  std::function<double(double squared)> value = {};
  double reach = std::numeric_limits<double>::infinity();  ///< it is 0 from this distance on
};

/// The corners of a map of one or two dimensions.
struct MapExtent {
  std::array<double, 2> low = {}, high = {};
  double longest() const { return std::max(high[0] - low[0], high[1] - low[1]); }
  /// Whether a place of `dims` coordinates is between them.
  bool contains(const double* place, Index dims) const {
    return place[0] >= low[0] && place[0] <= high[0] && (dims == 1 || (place[1] >= low[1] && place[1] <= high[1]));
  }
};

/// A grid on which the potential of one kernel is computed.
class GridLevel {
 public:
  /// Lays a grid of cells of this size over a map.
  void lay(const KernelPart& kernel, double cell, const MapExtent& extent, const Array2<double>& map, const Run& run);
  /// The potential of the charges; see SplineGrid::spread.
  void make(const Array2<double>& map, const std::vector<float>& charges, const Run& run);
  const SplineGrid& grid() const { return grid_; }

  /// Nodes along a side that a grid can have at most.
  static constexpr Index kMostNodes = 1920;
  static constexpr Index kMostOfShortReach = 3600;  ///< with a kernel that reaches no further than 200 cells

 private:
  struct Mesh {
    double cell = 0;
    std::unique_ptr<GridConvolution> convolution = {};
  };
  SplineGrid grid_;
  std::vector<Mesh> meshes_;  ///< those used last: making one costs as much as a few convolutions
  Mesh* mesh_ = nullptr;      ///< that of the grid
};

}  // namespace unroll
