#pragma once
#include <variant>
#include <vector>

#include "affinity/mercer_kernel.h"
#include "affinity/pivoted_cholesky.h"
#include "unroll/core/sparse.h"

namespace unroll {

/// A kernel matrix K that the caller owns: all entries, or those that are not 0.
using KernelMatrix = std::variant<MatrixView<double>, MatrixView<float>, const SparseMatrix*>;

/// The columns of K, computed from points when they are needed.
ColumnSource columns_of(const MercerKernel& kernel, PointsView points, const Run& run);
/// The columns of a K that exists; it must be symmetric.
ColumnSource columns_of(const KernelMatrix& kernel, const Run& run);

std::vector<double> diagonal_of(const KernelMatrix& kernel);

}  // namespace unroll
