#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// For every coordinate, how little of it those before it tell: the relative residual, 0 to 1, of its local linear
/// regression on them, leaving out the point itself (Dsilva, Talmon, Coifman & Kevrekidis 2018). The first has 1. A
/// harmonic of an earlier coordinate, as long strips have them, has almost 0. From up to 1000 of the points, for the
/// first ten coordinates.
std::vector<double> independence(const Array2<double>& coordinates, std::uint64_t seed, const Run& run);

/// Below, a coordinate repeats what those before it say: harmonics on strips have 0.02 to 0.1.
inline constexpr double kRepeats = 0.2;

/// The first `count` coordinates that repeat none of those chosen before; the next ones in order where there are too
/// few.
std::vector<Index> independent_coordinates(const Array2<double>& coordinates, Index count, std::uint64_t seed,
                                           const Run& run);

}  // namespace unroll
