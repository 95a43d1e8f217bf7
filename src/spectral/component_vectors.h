#pragma once
#include "unroll/core/types.h"
#include "unroll/neighbors/components.h"

/// The null space that several components kept in one map have: a constant each.
namespace unroll {

/// Per component a constant, of length one, a row each. Only for a few components: that is n entries for each.
Array2<double> indicators(const Components& components);

/// The first `count` of what the constants of the components span beside the constant of all, orthonormal, a row each:
/// the k-th of them is constant on each of the first k components, and on all others together.
Array2<double> contrasts(const Components& components, Index count);

}  // namespace unroll
