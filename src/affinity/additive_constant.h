#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// Adds to all distances, except between copies of a point, the smallest constant that makes them Euclidean distances,
/// and returns it (Cailliez 1983). `scale` is a power of two that takes them to at most 1. Of `copies` see
/// groups_of_copies.
double add_constant(Array2<double>& distances, const std::vector<Index>& copies, double scale, std::uint64_t seed,
                    const Run& run);

/// Points at distance 0 from each other are copies if their distances to all others are the same. Returns for every
/// point the first of its copies; nothing if all points at distance 0 are copies, as the triangle inequality asks.
std::vector<Index> groups_of_copies(const Array2<double>& distances);

}  // namespace unroll
