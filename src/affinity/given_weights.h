#pragma once
#include <cstdint>
#include <vector>

#include "affinity/affinity.h"

namespace unroll {

/// A matrix of weights that the caller gives.
struct GivenWeights {
  Affinity affinity = {};
  double unit = 1;                        ///< a power of two that the weights were divided by
  std::vector<std::int64_t> prints = {};  ///< hashes of the rows as given: see RowPrint
  bool averaged = false;                  ///< W differs from the given matrix by more than rounding
  std::vector<Warning> warnings = {};
};

/// Throws InvalidData unless the matrix is square, finite, without negative entries and not all zero. A matrix that is
/// not symmetric is averaged with its transpose, with a warning if entries differ by more than symmetry_tolerance. The
/// matrix of a graph (not of a kernel) loses its diagonal. If sums and products of the weights would
/// overflow or underflow, they are divided by a power of two near the largest, and so is D. Components are those of the
/// entries that are not 0.
GivenWeights given_weights(PointsView matrix, const AffinityOptions& options, const Run& run);
GivenWeights given_weights(const SparseMatrix& matrix, const AffinityOptions& options);

/// The components of the graph of the entries that are not 0.
Components components_of(const Array2<double>& w);

}  // namespace unroll
