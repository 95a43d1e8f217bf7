#pragma once
#include <cstdint>
#include <vector>

#include "affinity/affinity.h"

namespace unroll {

/// A matrix of weights that the caller brings.
struct GivenWeights {
  Affinity affinity = {};
  double unit = 1;                        ///< a power of two that the weights were divided by
  std::vector<std::int64_t> prints = {};  ///< of the rows as given: see RowPrint
  bool averaged = false;                  ///< beyond rounding: W is not what was given
  std::vector<Warning> warnings = {};
};

/// Throws InvalidData unless the matrix is square, finite, without negative entries and not all zero. One that is not
/// symmetric is averaged with its transpose, with a warning where entries differ by more than 1e-10 of them (1e-6 of
/// floats). The matrix of a graph (not of a kernel) loses its diagonal. Weights so large or so small that their sums
/// and products would not be numbers are divided by a power of two near the largest: D is then that of the divided
/// ones. Components are those of the entries that are not 0.
GivenWeights given_weights(PointsView matrix, const AffinityOptions& options, const Run& run);
GivenWeights given_weights(const SparseMatrix& matrix, const AffinityOptions& options);

/// Of the graph of the entries that are not 0.
Components components_of(const Array2<double>& w);

}  // namespace unroll
