#pragma once
#include <cstdint>

#include "unroll/core/types.h"

/// Kernels of maps that are optimised: forces between points. Like all of src/simd they exist once per instruction set.
/// The order of every sum is fixed.
namespace unroll::simd {

/// Sums over j of e_j d_j^m, m = 0, 1, 2.
struct ExpSums {
  double zeroth;
  double first;
  double second;
};

/// Points coordinate after coordinate, `padded` (a multiple of kLayoutPad) apart. Places beyond the last point hold
/// kFarAway, where forces vanish.
struct LayoutPoints {
  const double* coordinates;
  Index padded;
  Index dims;
};
inline constexpr Index kLayoutPad = 8;
inline constexpr double kFarAway = 1e140;

/// The kernel of a map: w = 1 / (1 + r^2 / dof), weights w^exponent.
struct TailKernel {
  double inverse_dof;
  double exponent;  ///< (dof + 1) / 2
};

/// Groups of points that stand for their members: at their mean, `charges` of them; padded groups have the charge 0.
/// `spreads` is sum |y - mean|^2 / (2 dims charge): with Cauchy tails it corrects the potential of a group by its
/// width, as far as that is the same in all directions, w + spread * Laplacian of w.
struct LayoutGroups {
  LayoutPoints means;
  const double* charges;
  const double* spreads;
};

/// The smallest squared distance from a place to a point, and 1 / (the sum of exp(least - r^2)), or a multiple of it.
struct GaussPlace {
  double least;
  double share;
};

struct LayoutKernels {
  /// e_j = exp(-beta d_j), with d_j >= 0, and its sums.
  ExpSums (*exp_weights)(const double* d, Index count, double beta, double* e);
  /// force += sum over e of p_e w (y - y_c), c = columns[e]; w = 1 / (1 + r^2 inverse_dof). `map` has `dims` columns.
  void (*attract)(const float* p, const std::int32_t* columns, Index count, const double* map, Index dims,
                  const double* y, double inverse_dof, double* force);
  /// For each of `count` places y (rows of `dims`): force = sum over all points of w^(exponent + 1) (y - y_j), and the
  /// sum of w^exponent.
  void (*repel)(const LayoutPoints& points, TailKernel kernel, const double* y, Index count, double* force,
                double* sums);
  /// The same for groups of points.
  void (*repel_groups)(const LayoutGroups& groups, TailKernel kernel, const double* y, Index count, double* force,
                       double* sums);
  /// Gaussian neighbours of a place y: `least` = the smallest squared distance to a point, and the sum over points of
  /// exp(least - r^2), both without the point number `own`; -1: with all.
  void (*gauss_sum)(const LayoutPoints& points, const double* y, Index own, double* least, double* sum);
  /// force = sum over points j of (exp(own.least - r^2) own.share + exp(least_j - r^2) share_j) (y - y_j). Padded
  /// points have the share 0.
  void (*gauss_force)(const LayoutPoints& points, const double* least, const double* share, const double* y,
                      GaussPlace own, double* force);
};

}  // namespace unroll::simd
