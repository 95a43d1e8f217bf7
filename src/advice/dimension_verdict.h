#pragma once
#include "unroll/advice/dimension.h"

namespace unroll {

/// Decides which of the estimates to believe, and says why: fills in dimension, coordinates and verdict.
void judge(DimensionReport& report);

}  // namespace unroll
