#pragma once
#include "unroll/advice/dimension.h"

namespace unroll {

/// Of the principal axes of all points, or of a sample of them.
VarianceSpectrum global_spectrum(PointsView points, std::uint64_t seed, const Run& run);

/// The mean over a sample of points of the spectra of the first `count` neighbours (local PCA: Fukunaga & Olsen 1971),
/// each divided by its sum.
VarianceSpectrum local_spectrum(PointsView points, const NeighborGraph& graph, Index count,
                                const NeighborOptions& search, std::uint64_t seed, const Run& run);

}  // namespace unroll
