#pragma once
#include <string_view>
#include <vector>

#include "spectral/affinity.h"

namespace unroll {

/// A matrix of weights that the caller brings.
struct GivenWeights {
  Affinity affinity = {};
  std::vector<Warning> warnings = {};
};

/// Throws InvalidData unless it is square, finite, without negative entries and not all zero. A matrix that is not
/// symmetric is averaged with its transpose, with a warning unless that is rounding; a matrix of a graph (not of a
/// kernel) loses its diagonal. Components are those of the entries that are not 0.
GivenWeights given_weights(PointsView matrix, bool keep_diagonal, std::string_view who, const Run& run);
GivenWeights given_weights(const SparseMatrix& matrix, bool keep_diagonal, std::string_view who);

/// Of the graph of the entries that are not 0.
Components components_of(const Array2<double>& w);

}  // namespace unroll
