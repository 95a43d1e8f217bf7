#pragma once
#include <memory>
#include <vector>

#include "layout/repulsion.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Of every point of a map: a squared distance `least`, and the sum over the other points of exp(least - r^2). The
/// first is that of the nearest one where the sum would vanish without it.
struct GaussSums {
  std::vector<double> least, sum;
};

/// The forces between all pairs of points of a map of SNE, q(j|i) = exp(-|y_i - y_j|^2) / sum over k of exp(-|y_i -
/// y_k|^2). The result is a function of the map alone.
class GaussRepulsion {
 public:
  GaussRepulsion() = default;
  GaussRepulsion(const GaussRepulsion&) = delete;
  GaussRepulsion& operator=(const GaussRepulsion&) = delete;
  virtual ~GaussRepulsion() = default;

  virtual GaussSums sums(const Array2<double>& map, const Run& run) = 0;
  /// force_i = sum over j of (q(j|i) + q(i|j)) / 2n (y_i - y_j). `sums` are those of the same map, made last.
  virtual void forces(const Array2<double>& map, const GaussSums& sums, Array2<double>& force, const Run& run) = 0;
};

/// All pairs: n^2 work.
std::unique_ptr<GaussRepulsion> exact_gauss_repulsion();

/// By potentials on a grid, for maps of one or two dimensions. Points with hardly a neighbour in the map, whose sums
/// are below what a grid can tell, are computed one by one.
std::unique_ptr<GaussRepulsion> grid_gauss_repulsion();

/// K = exp(-r^2) for a GridPotential.
struct GridKernel;
GridKernel gauss_kernel();

}  // namespace unroll
