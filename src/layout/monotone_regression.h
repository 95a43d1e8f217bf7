#pragma once
#include <span>
#include <vector>

#include "unroll/core/types.h"

namespace unroll {

/// Replaces the values by the nearest ones, in the sum of squares, that do not fall: neighbours that do are pooled and
/// get their mean (pool adjacent violators, Ayer et al. 1955). There must be fewer than 2^32.
void monotone_regression(std::span<double> values);

}  // namespace unroll
