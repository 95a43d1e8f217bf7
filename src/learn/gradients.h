#pragma once
#include "eigen/symmetric_operator.h"

namespace unroll {

struct GradientResult {
  Array2<double> x = {};
  Index iterations = 0;
  double residual = 0;  ///< the largest |b - A x| / (|b| + |x|) of a column, by a product with A itself
  bool converged = true;
};

/// A x = b for every column of b by conjugate gradients (Hestenes & Stiefel 1952), A positive definite with a norm of
/// about 1. A column is done when its residual is at most tol (|b| + |x|). The residual that is updated on the way
/// drifts from that of a product with A, which may be ten times as large; beyond that it starts again, and is not
/// converged.
GradientResult conjugate_gradients(const SymmetricOperator& a, const Array2<double>& b, double tol, Index max_iter,
                                   const Run& run);

}  // namespace unroll
