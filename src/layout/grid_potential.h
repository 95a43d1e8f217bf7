#pragma once
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "layout/grid_level.h"

namespace unroll {

/// A smooth even kernel K of width about 1, with K(0) = 1.
struct GridKernel {
  /// 1 - K by r^2, without cancellation where that is small.
  std::function<double(double squared)> deficit = {};
  /// K as the sum of parts, for large maps: the first one is sharp, the others are so smooth that cells kCoarse times
  /// as large as those before do for them. None: K itself.
  std::vector<KernelPart> parts = {};
};

/// The potential of charges at the points of a map of one or two dimensions, sum over j of charge_j K(|y - y_j|^2), as
/// a smooth function on a grid. Particle mesh: charges are spread to the nodes by B-splines, the potential at the nodes
/// is a convolution, and the same splines interpolate it (Hockney & Eastwood 1988; Essmann et al. 1995; for t-SNE with
/// other interpolants: Linderman et al. 2019). Cells are so small (kCell) that slopes are right to a part in a
/// thousand.
class GridPotential {
 public:
  explicit GridPotential(GridKernel kernel);
  GridPotential(const GridPotential&) = delete;
  GridPotential& operator=(const GridPotential&) = delete;

  /// Lays the grids over a map; what they cost is decided by the extent of the map.
  void lay(const Array2<double>& map, const Run& run);
  /// Computes the potential of the charges, all of them 1 if there are none. The map is the one of `lay`.
  void make(const Array2<double>& map, const std::vector<float>& charges, const Run& run);

  struct Value {
    double potential = 0;
    std::array<double, 2> slope = {};  ///< the second is that of a map of two dimensions
  };
  bool contains(const double* place, Index dims) const { return extent_.contains(place, dims); }
  /// At a place in the box of the map.
  Value value_at(const double* place, Index dims) const;
  /// The potential at all points of the map, and its slopes in the rows of `slopes`.
  void at_points(const Array2<double>& map, std::vector<double>& potential, Array2<double>& slopes,
                 const Run& run) const;

  static constexpr double kCell = 0.25;     ///< in units of the map, in which the kernel has the width 1
  static constexpr double kCoarse = 4;      ///< see GridKernel::parts
  static constexpr Index kLeastCells = 40;  ///< a small map has smaller cells

 private:
  void choose(const Array2<double>& map);
  std::span<const GridLevel> levels() const;

  GridKernel kernel_;
  KernelPart whole_part_, small_part_;
  MapExtent extent_;
  double cell_ = kCell;
  bool is_small_ = false;   ///< (K - 1) / small_scale_ is convolved instead of K
  double small_scale_ = 1;  ///< about the largest value of 1 - K in a small map; 1 in others
  double constant_ = 0;     ///< what is added to the potential for that
  bool is_in_parts_ = false;
  GridLevel whole_, small_;
  std::vector<GridLevel> parts_;
};

}  // namespace unroll
