#pragma once
#include <memory>
#include <vector>

#include "layout/grid_potential.h"
#include "layout/repulsion.h"

namespace unroll {

/// The field of forces of all points of a map of one or two dimensions: the potential is the sum over j of w_j^e, and
/// the force of Repulsion its gradient, force = -dof / (dof + 1) * gradient.
class GridField {
 public:
  explicit GridField(double dof);

  void make(const Array2<double>& map, const Run& run) {
    potential_.lay(map, run);
    potential_.make(map, {}, run);
  }
  bool contains(const double* place, Index dims) const { return potential_.contains(place, dims); }
  /// The potential at a place in the box of the map; `force` has `dims` numbers.
  double value_at(const double* place, Index dims, double* force) const;
  /// The forces on all points of the map; returns Z.
  double forces(const Array2<double>& map, Array2<double>& force, const Run& run);

 private:
  double factor_;
  GridPotential potential_;
  std::vector<double> at_points_;
};

/// Forces by a GridField, for maps of one or two dimensions.
std::unique_ptr<Repulsion> grid_repulsion(double dof);

}  // namespace unroll
