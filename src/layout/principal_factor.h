#pragma once
#include <vector>

#include "unroll/core/types.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// A factor Y of K = Y Y^T, turned so that its columns are eigenvectors of K times the root of their eigenvalues,
/// largest first: in every component by itself, whose rows have the mean 0. Signs are canonical.
Array2<double> principal_factor(const Array2<double>& y, const Components& components);

/// The first columns, divided by `unit`; maps of several components lie side by side. Columns that the factor lacks
/// are 0.
Array2<double> side_by_side_map(const Array2<double>& factor, const Components& components, Index n_components,
                                double unit);

}  // namespace unroll
