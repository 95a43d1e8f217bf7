#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Least squares for class indicators: of the functions that are the constant plus combinations of `functions` (one per
/// row, a column per point), those closest to 1 on the points of a class and 0 on those of others. Among equals the one
/// of the smallest coefficients, for functions of equal mean square; the constant is free. `places` has the class of
/// every point, below `classes`; -1: unknown. Returns a row per point, a column per class; every row sums up to 1.
Array2<double> class_functions(Array2<double> functions, const std::vector<Index>& places, Index classes,
                               const Run& run = {});

}  // namespace unroll
