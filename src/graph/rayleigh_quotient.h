#pragma once
#include <vector>

#include "affinity/affinity.h"

namespace unroll {

/// Of D - W and a diagonal matrix M, the eigenvalues of (D - W) f = lambda M f: those of D - W where M is I, of both
/// normalised Laplacians where it is D.
struct RayleighQuotient {
  double value = 0;     ///< f'(D - W)f / f'Mf
  double residual = 0;  ///< |(D - W)f - value M f| in the norm of M^-1, f'Mf = 1: an eigenvalue is as near as this
};

/// The sum of w_ij (f_i - f_j)^2 over all edges: no term is negative, so that an eigenvalue far below the rounding of
/// |D - W|, of a graph that nearly falls apart, keeps its digits. `mass` is the diagonal of M; points of mass 0 do not
/// count.
RayleighQuotient rayleigh_quotient(const Affinity& affinity, const std::vector<double>& mass,
                                   const std::vector<double>& f, const Run& run);

}  // namespace unroll
