#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "layout/grid_convolution.h"
#include "layout/repulsion.h"
#include "layout/spline_grid.h"

namespace unroll {

/// The potential of all points of a map of one or two dimensions, sum over j of w_j^e, as a smooth function on a grid.
/// The force of Repulsion is its gradient: force = -dof / (dof + 1) * gradient. Particle mesh: charges are spread to
/// the nodes by B-splines, the potential at the nodes is a convolution, and the same splines interpolate it (Hockney &
/// Eastwood 1988; Essmann et al. 1995; for t-SNE with other interpolants: Linderman et al. 2019). Cells are so small
/// (kCell) that forces are right to a part in a thousand.
class GridField {
 public:
  explicit GridField(double dof) : dof_(dof) {}

  /// Computes the field of a map; what it costs is decided by the extent of the map.
  void make(const Array2<double>& map, const Run& run);

  struct Value {
    double potential;
    std::array<double, 2> force;  ///< as in Repulsion; the second is 0 in one dimension
  };
  /// Whether a place of `dims` coordinates is in the box of the map.
  bool contains(const double* place, Index dims) const {
    return place[0] >= low_[0] && place[0] <= high_[0] && (dims == 1 || (place[1] >= low_[1] && place[1] <= high_[1]));
  }
  /// At a place in the box of the map.
  Value value_at(const double* place, Index dims) const;

  static constexpr double kCell = 0.25;      ///< in units of the map, in which the kernel has the width 1
  static constexpr Index kLeastCells = 40;   ///< a small map has smaller cells
  static constexpr Index kMostCells = 1900;  ///< a map that is larger than these has larger cells

 private:
  template <class T>
  struct Mesh {
    double cell = 0;
    std::unique_ptr<GridConvolution<T>> convolution = {};
  };
  template <class T>
  struct Scratch {
    std::vector<Mesh<T>> meshes = {};  ///< those used last: making one costs as much as several convolutions
    std::vector<SplineGrid<T>> parts = {};
  };
  struct Box {
    double cell = 0;
    std::array<Index, 2> sides = {};
    std::array<double, 2> origin = {};
  };
  template <class T>
  GridConvolution<T>& convolution_of(const SplineGrid<T>& grid, std::vector<Mesh<T>>& meshes, const Run& run) const;
  template <class T>
  void fill(const Array2<double>& map, SplineGrid<T>& grid, Scratch<T>& scratch, const Run& run);
  template <class T>
  void fill_as(const Array2<double>& map, const Box& box, Scratch<T>& scratch, const Run& run);

  double dof_;
  std::array<double, 2> low_ = {}, high_ = {};
  std::variant<SplineGrid<double>, SplineGrid<float>> grid_;
  Scratch<double> fine_;
  Scratch<float> coarse_;  ///< of large grids: in single precision
};

/// Forces by a GridField, for maps of one or two dimensions.
std::unique_ptr<Repulsion> grid_repulsion(double dof);

}  // namespace unroll
