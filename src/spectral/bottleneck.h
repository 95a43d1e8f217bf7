#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

namespace unroll {

/// An eigenvalue this near to the trivial one, relative to the norm, counts as equal to it.
inline constexpr double kTrivialRounding = 1e-12;

/// Parts that are joined by very small weights have eigenvalues equal to the trivial one up to rounding. Such a vector
/// only says in which part a point lies. `skipped` trivial eigenvalues are not among the values.
std::optional<Warning> bottleneck_warning(double trivial_value, double norm, Index components, Index skipped,
                                          const std::vector<double>& values, std::string_view hint);

}  // namespace unroll
