#pragma once
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "affinity/local_fits.h"
#include "affinity/patch_axes.h"
#include "unroll/neighbors/neighbor_graph.h"

/// What LTSA, Hessian LLE and modified LLE say of one patch, as functions of its principal axes: each appends its
/// columns, a row per member, to `factors` and tells what they mean. Constants are never charged, nor is what is linear
/// in the tangent coordinates.
namespace unroll {

/// Memory of one thread, kept between calls.
using FitScratch = std::vector<double>;

/// Local tangent space alignment (Zhang & Zha 2004): F = [1/sqrt(m), u_1 .. u_d] for B = I - F F'. A patch of rank
/// below d has fewer columns: a map is charged for all that is not a function of the positions.
Charge append_tangent_fit(const PatchAxes& axes, std::vector<double>& factors);

/// Hessian LLE (Donoho & Grimes 2003): 1, u_a and the products u_a u_b, a <= b, made orthonormal in this order; F is
/// the last d (d+1) / 2 columns, which estimate the second derivatives. Where these columns are dependent (identical,
/// collinear or too few members) there is no such estimate, and all that is not linear is charged, as by LTSA.
Charge append_hessian_fit(const PatchAxes& axes, Index d, FitScratch& scratch, std::vector<double>& factors);

/// How many leading axes of a patch are signal to modified LLE (Zhang & Wang 2006): the fewest l, at least d, whose
/// eigenvalues leave no more than eta of themselves: sum after l <= eta * sum up to l. The other s = m - l >= 1 span
/// the almost-null space. (A patch of rank below d has as many as its rank.)
Index signal_axes(const PatchAxes& axes, Index d, double eta);

/// sum of the eigenvalues after d over that of the first d; none of a patch whose members are all on the point.
std::optional<double> residual_ratio(const PatchAxes& axes, Index d);

/// Modified LLE (Zhang & Wang 2006): s weight vectors W = (1 - alpha) w 1' + V H on the neighbours, where V spans the
/// almost-null space, H is a reflection, H V'1 = alpha 1, and w the regularised weights of LLE in the limit of no
/// regularisation. The charge is |[-1', W'] Y|^2, where the first member is the point. It depends on the span of V
/// only, so that neither V nor H is computed: with the signal axes U, V V' = I - U U', and p = V V'1
///   B = s (-1; w) (-1; w)' + I - F F',   w = p / |p|^2,   F = [(1; 0), (0; U), (0; p / |p|)].
/// p = 0 (the neighbours lie in a plane that misses the point): w = G^+ 1, scaled to sum 1, and F without its last.
/// `axes` are those about the point, found for signal_axes.
Charge append_modified_fit(const PatchAxes& axes, FitScratch& scratch, std::vector<double>& factors);

/// The neighbours of every point without the point itself, as in scikit-learn; but a point that would be tied to its
/// patch by no other one (nobody's neighbour, or the only bridge) is its member: M would not determine it.
Patches tied_patches(const NeighborGraph& nearest, const Run& run);

/// A point of fewer than `fewest` neighbours is refused, by InvalidData; `why` tells where that number comes from.
void check_neighborhoods(const NeighborGraph& nearest, Index fewest, std::string_view why, std::string_view who);

/// So many components that nothing is computed from them overflows; there are never as many neighbours.
constexpr Index saturated(Index n_components) { return std::min<Index>(n_components, 1'000'000'000); }

}  // namespace unroll
