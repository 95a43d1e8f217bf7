#pragma once
#include <vector>

#include "spectral/affinity.h"

namespace unroll {

/// Per cluster S the weight of the edges that leave it, over the sum of degrees in S or in the rest, whichever is less:
/// 0 to 1, and 0 where nothing is left out or S has no edges.
std::vector<double> partition_conductance(const Affinity& affinity, const std::vector<Index>& labels, Index clusters,
                                          const Run& run);

}  // namespace unroll
