#pragma once
#include "affinity/affinity.h"
#include "core/method_fit.h"
#include "spectral/embedding.h"

namespace unroll {

/// Runs the row on W; `independent`: see embed_judged.
MethodFit fit_graph(const Recipe& row, AffinityFit affinity, SpectralSettings settings, bool independent,
                    const Run& run);

/// Joins a map of W, the report of W, and the means to place new points.
MethodFit graph_fit(AffinityFit affinity, SpectralFit map);

}  // namespace unroll
