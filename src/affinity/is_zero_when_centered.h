#pragma once
#include "affinity/similarities.h"

namespace unroll {

/// Whether J W J is only rounding: W_ij = a_i + a_j, all points coincide. A solver would then return eigenvectors of
/// the rounding errors.
bool is_zero_when_centered(const Similarities& w, const Run& run);

}  // namespace unroll
