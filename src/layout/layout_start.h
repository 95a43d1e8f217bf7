#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/run.h"
#include "unroll/core/sparse.h"
#include "unroll/core/types.h"

/// Where optimised maps start.
namespace unroll {

struct StartedMap {
  Array2<double> coordinates = {};
  std::vector<Warning> warnings = {};
};

/// The coordinates on the principal axes. Where the points have fewer dimensions than the map, further columns are
/// random and small, or the map would never leave its subspace. If all points are equal, all coordinates are 0, with a
/// warning.
StartedMap pca_start(PointsView points, Index n_components, std::uint64_t seed, const Run& run);

/// Eigenvectors of D^-1/2 W D^-1/2 for its largest eigenvalues but the first, divided by D^1/2: Laplacian eigenmaps. W
/// is symmetric. The solver stops at a coarse tolerance; if it misses that within its cap of operations, the start is
/// random, with a warning.
StartedMap spectral_start(const SparseMatrix& weights, Index n_components, std::uint64_t seed, const Run& run);

/// Independent normal coordinates.
Array2<double> random_start(Index n, Index n_components, std::uint64_t seed);

/// Puts small random numbers into columns without extent, or the map would never leave its subspace. Nothing happens to
/// a map of one place.
void fill_flat_columns(Array2<double>& map, std::uint64_t seed);

/// Scales the map so that its first column has this standard deviation. A map of zeros stays.
void scale_start(Array2<double>& map, double deviation);

}  // namespace unroll
