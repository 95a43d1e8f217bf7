#pragma once
#include <cstdint>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Adds to all distances but zero the smallest constant that makes them Euclidean distances, and returns it (Cailliez
/// 1983). `scale` is a power of two that takes them to at most 1.
double add_constant(Array2<double>& distances, double scale, std::uint64_t seed, const Run& run);

}  // namespace unroll
