#pragma once
#include <string_view>

#include "affinity/local_fits.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/components.h"

namespace unroll {

/// What decides how much memory fits will take.
struct PatchMemory {
  Index columns = 1;          ///< no patch has more of them (nor more than two beyond its members)
  bool separate = false;      ///< every component has a map of its own, from a copy of its fits
  bool by_landmarks = false;  ///< asked for: M is not assembled
  bool can_landmarks = true;
};

/// Before anything is fitted: throws OutOfMemory where the columns of all patches, their copy in an order that is good
/// for memory, and M would pass the budget.
void plan_fits(const Patches& patches, const Components& components, const PatchMemory& wanted, const Run& run);

}  // namespace unroll
