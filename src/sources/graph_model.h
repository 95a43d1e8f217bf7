#pragma once
#include "affinity/affinity.h"
#include "core/method_fit.h"
#include "spectral/embedding.h"

namespace unroll {

/// Runs the row on W. Says which coordinates repeat those before them; `independent`: skips these and takes later ones.
MethodFit fit_graph(const Recipe& row, AffinityFit affinity, SpectralSettings settings, bool independent,
                    const Run& run);

/// A map of W with what is said of W, and the means to place new points.
MethodFit graph_fit(AffinityFit affinity, SpectralFit map);

}  // namespace unroll
