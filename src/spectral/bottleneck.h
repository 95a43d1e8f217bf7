#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

namespace unroll {

/// An eigenvalue this near to the trivial one, of the norm, cannot be told from it.
inline constexpr double kTrivialRounding = 1e-12;

/// Parts that hang together by next to nothing have eigenvalues that cannot be told from the trivial one: such a vector
/// tells which part a point is in, and no more. `skipped` trivial eigenvalues are not among the values.
std::optional<Warning> bottleneck_warning(double trivial_value, double norm, Index components, Index skipped,
                                          const std::vector<double>& values, std::string_view hint);

}  // namespace unroll
