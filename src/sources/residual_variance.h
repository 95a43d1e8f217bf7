#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// 1 - r^2 for the first 1, 2, .. coordinates: r is the correlation of distances in the map with the given ones
/// (Tenenbaum, de Silva & Langford 2000). Row i of `distances` leads from point sources[i] to all points. At most 2
/// million random pairs count; pairs without a path do not.
template <class T>
std::vector<double> residual_variance(MatrixView<T> distances, const std::vector<Index>& sources,
                                      const Array2<double>& coordinates, std::uint64_t seed, const Run& run);

/// The elbow of the residual variance: the last dimension that halves it. None: no dimension does, or the last one
/// that was computed does, so that further ones might.
std::optional<Index> elbow(const std::vector<double>& residual_variance);

}  // namespace unroll
