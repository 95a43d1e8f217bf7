#pragma once
#include <span>

#include "unroll/core/types.h"

namespace unroll {

/// How many principal axes are signal, by the evidence of the probabilistic model (Minka: Automatic choice of
/// dimensionality for PCA, NIPS 2000, Laplace's approximation, equation 30). `values` are all eigenvalues of the
/// covariance of n points, descending, up to a factor. Between 0 and their number less one; 0 if all are 0.
Index minka_dimension(std::span<const double> values, Index n);

}  // namespace unroll
