#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// 1 - r^2 for the first 1, 2, .. coordinates: r is the correlation of distances in the map with the given ones, of
/// which row i leads from point sources[i] to all points (Tenenbaum, de Silva & Langford 2000). At most 2 million pairs
/// count, picked at random; pairs without a path do not.
template <class T>
std::vector<double> residual_variance(MatrixView<T> distances, const std::vector<Index>& sources,
                                      const Array2<double>& coordinates, std::uint64_t seed, const Run& run);

/// The elbow, where it ceases to fall: the last dimension that halves it. None: no dimension does.
std::optional<Index> elbow(const std::vector<double>& residual_variance);

}  // namespace unroll
