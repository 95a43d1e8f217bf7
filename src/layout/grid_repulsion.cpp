#include "layout/grid_repulsion.h"

#include <cmath>

#include "core/at.h"

namespace unroll {
namespace {

/// (1 + r^2 / dof)^-((dof + 1) / 2). With Cauchy tails, 1 / (1 + r^2) = integral over s > 0 of exp(-s (1 + r^2)):
/// Gaussians of all widths. Those wider than kWidest make a smooth part, the others one of short reach, as in Ewald's
/// (1921) sums.
GridKernel tail_kernel_parts(double dof) {
  constexpr double kWidest = 0.2, kReach = 6.75;
  if (dof != 1)
    return {.deficit = [dof](double squared) { return -std::expm1(-(dof + 1) / 2 * std::log1p(squared / dof)); }};
  const auto narrow = [](double squared) { return std::exp(-kWidest * (1 + squared)) / (1 + squared); };
  const auto wide = [](double squared) { return -std::expm1(-kWidest * (1 + squared)) / (1 + squared); };
  return {.deficit = [](double squared) { return squared / (1 + squared); },
          .parts = {{.value = narrow, .reach = kReach}, {.value = wide}}};
}

class GridRepulsion final : public Repulsion {
 public:
  explicit GridRepulsion(double dof) : field_(dof) {}

  double compute(const Array2<double>& map, Array2<double>& force, const Run& run) override {
    field_.make(map, run);
    return field_.forces(map, force, run);
  }

 private:
  GridField field_;
};

}  // namespace

GridField::GridField(double dof) : factor_(-dof / (dof + 1)), potential_(tail_kernel_parts(dof)) {}

double GridField::value_at(const double* place, Index dims, double* force) const {
  const GridPotential::Value found = potential_.value_at(place, dims);
  for (Index d = 0; d < dims; ++d) force[d] = factor_ * found.slope[at(d)];
  return found.potential;
}

double GridField::forces(const Array2<double>& map, Array2<double>& force, const Run& run) {
  potential_.at_points(map, at_points_, force, run);
  double z = 0;
  for (Index i = 0; i < map.rows(); ++i) {
    z += at_points_[at(i)] - 1;  // without the point itself
    for (Index d = 0; d < map.cols(); ++d) force(i, d) *= factor_;
  }
  return z;
}

std::unique_ptr<Repulsion> grid_repulsion(double dof) { return std::make_unique<GridRepulsion>(dof); }

}  // namespace unroll
