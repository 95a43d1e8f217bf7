#pragma once
#include "unroll/affinity/kernel.h"
#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Throws Unsupported for a kernel that inner products do not give.
void check_sparse_kernel(Kernel kernel);
/// fitting_gamma of sparse points.
double fitting_sparse_gamma(PointsView points, Kernel kernel, const Run& run);

}  // namespace unroll
