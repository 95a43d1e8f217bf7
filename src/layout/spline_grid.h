#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "simd/spline_kernels.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Where a grid lies in the plane.
struct GridBox {
  double cell = 1;
  std::array<Index, 2> sides = {};    ///< nodes along either dimension
  std::array<double, 2> origin = {};  ///< of the node (0, 0)
};

/// Numbers on a regular grid in the plane, in single precision, and the smooth function that B-splines of order 6 make
/// of them. A map of one dimension lies on a line of the grid. Points are handled in the order of bands of rows: those
/// of a band touch the rows of this and the next one only, so that every second band can be filled at the same time,
/// and the order in which a node is added to depends on the map alone.
class SplineGrid {
 public:
  static constexpr Index kMargin = 3;  ///< cells below the points that splines reach into
  /// Cells below and above the points together.
  static constexpr Index kMargins = kMargin + simd::kSplineWidth;

  /// Lays the grid around the points of a map, which must be within the margins, and puts these in order.
  void lay(const GridBox& box, const Array2<double>& map, const Run& run);
  /// Fills the grid with the charges of the points, all of them 1 if there are none.
  void spread(const Array2<double>& map, const std::vector<float>& charges, const Run& run);
  Array2<float>& values() { return values_; }

  /// Calls use(points, count, values at their places) for pieces of the map, in the order of the bands; several at a
  /// time.
  using UseValues = std::function<void(const std::int32_t* points, Index count, const simd::SplineValue* values)>;
  void gather(const Array2<double>& map, const Run& run, const UseValues& use) const;
  /// At a place within the margins.
  simd::SplineValue value_at(const double* place, Index dims) const;
  double cell() const { return box_.cell; }

 private:
  simd::SplineMesh mesh() const;
  Index bands() const;
  void sort(const Array2<double>& map, const Run& run);

  GridBox box_;
  Array2<float> values_;              ///< a row per node along the first dimension
  std::vector<std::int32_t> points_;  ///< in the order of their bands
  std::vector<std::int32_t> band_;    ///< of every point
  std::vector<Index> starts_;         ///< of the bands among the points
};

}  // namespace unroll
