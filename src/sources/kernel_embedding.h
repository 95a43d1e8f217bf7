#pragma once
#include <optional>
#include <vector>

#include "affinity/kernel_source.h"
#include "affinity/pivoted_cholesky.h"
#include "spectral/embedding.h"

/// Maps of a kernel matrix K, from all of it or from its columns at landmarks.
namespace unroll {

/// Where K comes from: points and a function of two of them, or a matrix.
struct KernelInput {
  PointsView points = {};
  std::optional<KernelParameters> function = {};
  KernelMatrix matrix = {};  ///< without a function
  Index size = 0;
};

struct KernelFit {
  SpectralFit map = {};
  std::optional<MercerKernel> kernel = {};  ///< of a function
  double trace = 0;                         ///< of J K J, or of its approximation and what that leaves
  std::vector<Index> landmarks = {};        ///< none: all points
  Index dropped = 0;                        ///< landmarks that depended on others
  double remaining = 0;                     ///< trace of K less its approximation
  double remaining_ratio = 0;               ///< of the trace of K
};

/// From the whole of K.
KernelFit embed_kernel(const Recipe& row, const KernelInput& input, const SpectralSettings& settings, const Run& run);

/// From K's columns at landmarks: K is close to F F', the factor that `factorize` makes of the columns.
using Factorize = std::function<PivotedCholesky(const ColumnSource& columns)>;
KernelFit embed_kernel_from(Index n_landmarks, const Factorize& factorize, const Recipe& row, const KernelInput& input,
                            const SpectralSettings& settings, const Run& run);

}  // namespace unroll
