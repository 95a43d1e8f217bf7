#pragma once
#include "unroll/core/types.h"

namespace unroll {

/// The orthogonal matrix nearest to a square A: U V^T of A = U S V^T.
struct NearestOrthogonal {
  Array2<double> matrix = {};
  double singular_sum = 0;  ///< the sum of the singular values of A: the trace of A^T matrix
};

/// By one-sided Jacobi rotations (Hestenes 1958), O(side^3) per sweep: for matrices of the size of numbers of clusters.
/// Directions that a singular A lacks are completed to a basis.
NearestOrthogonal nearest_orthogonal(const Array2<double>& a);

}  // namespace unroll
