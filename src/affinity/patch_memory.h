#pragma once
#include <string_view>

#include "affinity/local_fits.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// What determines the memory that fits take.
struct PatchMemory {
  Index columns = 1;          ///< the most columns of a patch (never more than its members + 2)
  bool separate = false;      ///< every component has its own map, from a copy of its fits
  bool by_landmarks = false;  ///< landmarks are used: M is not assembled
  bool can_landmarks = true;
};

/// Call it before anything is fitted: throws OutOfMemory if the columns of all patches, their reordered copy and M
/// would pass the budget.
void plan_fits(const Patches& patches, const Components& components, const PatchMemory& wanted, const Run& run);

}  // namespace unroll
