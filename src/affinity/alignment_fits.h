#pragma once
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "affinity/local_fits.h"
#include "affinity/neighborhoods.h"
#include "affinity/patch_axes.h"
#include "unroll/neighbors/neighbor_graph.h"

/// The costs of LTSA, Hessian LLE and modified LLE for one patch, as functions of its principal axes. Each appends its
/// columns, a row per member, to `factors` and returns their form. Constant functions cost nothing, and neither do
/// functions that are linear in the tangent coordinates.
namespace unroll {

/// Memory of one thread, kept between calls.
using FitScratch = std::vector<double>;

/// Local tangent space alignment (Zhang & Zha 2004): F = [1/sqrt(m), u_1 .. u_d] for B = I - F F'. A patch of rank
/// below d has fewer columns, so that everything that is not a function of the positions costs.
PatchForm append_tangent_fit(const PatchAxes& axes, std::vector<double>& factors);

/// Hessian LLE (Donoho & Grimes 2003): 1, u_a and the products u_a u_b, a <= b, made orthonormal in this order; F is
/// the last d (d+1) / 2 columns, which estimate the second derivatives. If these columns are dependent (identical,
/// collinear or too few members) there is no such estimate, and everything that is not linear costs, as in LTSA.
PatchForm append_hessian_fit(const PatchAxes& axes, Index d, FitScratch& scratch, std::vector<double>& factors);

/// The number of leading axes that modified LLE takes for signal (Zhang & Wang 2006): the smallest l >= d with sum of
/// eigenvalues after l <= eta * sum up to l. The other s = m - l >= 1 axes span the almost-null space. (A patch of rank
/// below d has as many signal axes as its rank.)
Index signal_axes(const PatchAxes& axes, Index d, double eta);

/// The sum of the eigenvalues after d over the sum of the first d; none if all members coincide with the point.
std::optional<double> residual_ratio(const PatchAxes& axes, Index d);

/// Modified LLE (Zhang & Wang 2006): s weight vectors W = (1 - alpha) w 1' + V H on the neighbours, where V spans the
/// almost-null space, H is a reflection, H V'1 = alpha 1, and w the regularised weights of LLE in the limit of no
/// regularisation. The cost is |[-1', W'] Y|^2, where the first member is the point. It depends only on the span of V,
/// so neither V nor H is computed: with the signal axes U, V V' = I - U U', and p = V V'1
///   B = s (-1; w) (-1; w)' + I - F F',   w = p / |p|^2,   F = [(1; 0), (0; U), (0; p / |p|)].
/// If p = 0 (the neighbours lie in a plane that misses the point), w = G^+ 1, scaled to sum 1, and F lacks its last
/// column. `axes` are those about the point, found for signal_axes.
PatchForm append_modified_fit(const PatchAxes& axes, FitScratch& scratch, std::vector<double>& factors);

/// The neighbours of every point without the point itself, as in scikit-learn. A point is a member of its own patch
/// only if no other patch ties it to this one (it is nobody's neighbour, or the only bridge): M would not determine it.
Patches tied_patches(const NeighborGraph& nearest, const Run& run);

/// Throws InvalidData if a point has fewer neighbours.
void check_neighborhoods(const NeighborGraph& nearest, const MinNeighbors& least);

/// Limits n_components so that numbers computed from it do not overflow; there are never as many neighbours.
constexpr Index saturated(Index n_components) { return std::min<Index>(n_components, 1'000'000'000); }

}  // namespace unroll
