#pragma once
#include <vector>

#include "unroll/core/types.h"

/// Copies of matrices in another order.
namespace unroll {

Array2<double> transposed(const Array2<double>& a);

/// Some rows and columns, in double; an empty list stands for all of them.
Array2<double> picked(PointsView matrix, const std::vector<Index>& rows, const std::vector<Index>& columns);

}  // namespace unroll
