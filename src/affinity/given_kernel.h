#pragma once
#include <optional>
#include <string_view>

#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Kernel matrices that the caller brings.
namespace unroll {

/// Throws InvalidData unless the matrix is square, of at least two points, finite, at most 1e150, and symmetric to 1e-8
/// (float: 1e-6) of its largest entry; the message has the place of the worst pair.
///
/// Returns the mean with its transpose where the two differ at all: eigensolvers need the last bit. Otherwise nothing:
/// the matrix can be used where it is.
std::optional<Array2<double>> check_kernel(std::string_view who, PointsView kernel, const Run& run);
/// The same for a sparse one; entries that are missing are 0.
std::optional<SparseMatrix> check_kernel(std::string_view who, const SparseMatrix& kernel);

}  // namespace unroll
