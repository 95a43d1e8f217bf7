#pragma once
#include "affinity/local_fits.h"
#include "unroll/core/run.h"

namespace unroll {

/// The number of minimal groups of points whose patches have members of the group only. In LLE, where every patch
/// begins with its own point, each group adds a vector to the null space of M. Returns 0 for patches of another kind.
Index closed_groups(const Patches& patches, const Run& run);

}  // namespace unroll
