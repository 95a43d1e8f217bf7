#pragma once
#include <vector>

#include "affinity/affinity.h"
#include "unroll/graph/graph_quantities.h"

namespace unroll {

/// The cut of every cluster against all others, in one pass over the weights. Labels are 0 to clusters - 1; a cluster
/// may be empty.
std::vector<Cut> partition_cuts(const Affinity& affinity, const std::vector<Index>& labels, Index clusters,
                                const Run& run);

/// The same cut with conductance and normalized_cut computed from its sums.
Cut with_quotients(Cut cut);

}  // namespace unroll
