#pragma once
#include "affinity/similarities.h"

namespace unroll {

/// Whether J W J is nothing but rounding: W_ij = a_i + a_j, all points are at one place. There are no eigenvectors to
/// be found then, and a solver would take the rounding for a matrix.
bool is_zero_when_centered(const Similarities& w, const Run& run);

}  // namespace unroll
