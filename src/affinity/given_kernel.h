#pragma once
#include <optional>

#include "affinity/kernel_source.h"
#include "unroll/core/input.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Kernel matrices that the caller gives.
namespace unroll {

/// Throws InvalidData unless the matrix is square, of at least two points, finite, at most 1e150, and symmetric to
/// 1e-8 of its largest entry, or 1e-6 in single precision; the message has the place of the worst pair.
///
/// Returns the mean of the matrix and its transpose if the two differ at all, since eigensolvers need symmetry to the
/// last bit. Otherwise returns nothing: the caller's matrix is used in place.
std::optional<Array2<double>> check_kernel(PointsView kernel, const Run& run);
/// The same for a sparse one; entries that are missing are 0.
std::optional<SparseMatrix> check_kernel(const SparseMatrix& kernel, const Run& run);

/// A kernel matrix after that check. Must not outlive the input.
struct GivenKernel {
  GivenKernel(const Input& input, const Run& run);
  GivenKernel(const GivenKernel&) = delete;
  GivenKernel& operator=(const GivenKernel&) = delete;

  KernelMatrix matrix;  ///< the caller's own memory, or one of the means below
  std::optional<Array2<double>> full;
  std::optional<SparseMatrix> sparse;
};

}  // namespace unroll
