#pragma once
#include "affinity/local_fits.h"
#include "unroll/core/run.h"

namespace unroll {

/// Groups of points whose patches have members of the group alone, no such group within another: of LLE, whose patches
/// begin with their own point, each adds a vector to the null space of M. 0 where patches are not of that kind.
Index closed_groups(const Patches& patches, const Run& run);

}  // namespace unroll
