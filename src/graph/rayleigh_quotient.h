#pragma once
#include <vector>

#include "affinity/affinity.h"

namespace unroll {

/// The Rayleigh quotient of (D - W) f = lambda M f with a diagonal M: M = I for D - W, M = D for both normalised
/// Laplacians.
struct RayleighQuotient {
  double value = 0;     ///< f'(D - W)f / f'Mf
  double residual = 0;  ///< |(D - W)f - value M f| in the norm of M^-1, f'Mf = 1; some eigenvalue is this near
};

/// f'(D - W)f is the sum of w_ij (f_i - f_j)^2 over all edges. No term is negative, so an eigenvalue far below the
/// rounding of |D - W| keeps its digits, as in a graph that is almost disconnected. `mass` is the diagonal of M; points
/// of mass 0 do not count.
RayleighQuotient rayleigh_quotient(const Affinity& affinity, const std::vector<double>& mass,
                                   const std::vector<double>& f, const Run& run);

}  // namespace unroll
