#pragma once
#include <optional>
#include <vector>

#include "affinity/kernel_source.h"
#include "affinity/pivoted_cholesky.h"
#include "spectral/embedding.h"

/// Maps of a kernel matrix K, from all of K or from its columns at landmarks.
namespace unroll {

/// The origin of K: points and a kernel function, or a matrix.
struct KernelInput {
  PointsView points = {};
  std::optional<KernelParameters> function = {};
  KernelMatrix matrix = {};  ///< if there is no function
  Index size = 0;
};

struct KernelFit {
  SpectralFit map = {};
  std::optional<MercerKernel> kernel = {};  ///< if K is a function
  double trace = 0;                         ///< of J K J; with landmarks of its approximation, plus the remaining trace
  std::vector<Index> landmarks = {};        ///< none: all points
  Index dropped = 0;                        ///< number of landmarks that depended on others
  double remaining = 0;                     ///< trace of K minus its approximation
  double remaining_ratio = 0;               ///< relative to the trace of K
  std::optional<double> landmark_error = {};  ///< see half_sample_error
  bool is_single = false;                     ///< K was kept in float
};

/// The map from all of K.
KernelFit embed_kernel(const Recipe& row, const KernelInput& input, const SpectralSettings& settings, const Run& run);

/// The map from K's columns at landmarks: `factorize` makes F of them, and K is close to F F'. Unlike the map of
/// distances from landmarks it is the map of all points, centred by all, since K is close to a matrix that is known.
using Factorize = std::function<PivotedCholesky(const ColumnSource& columns)>;
KernelFit embed_kernel_from(Index n_landmarks, const Factorize& factorize, const Recipe& row, const KernelInput& input,
                            const SpectralSettings& settings, const Run& run);

}  // namespace unroll
