#pragma once
#include <span>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Replaces the values by the nearest ones, in the sum of squares, that do not fall: neighbours that do are pooled and
/// get their mean (pool adjacent violators, Ayer et al. 1955). `weights`, if any, are those of the squares.
void monotone_regression(std::span<double> values, std::span<const double> weights = {});

}  // namespace unroll
