#pragma once
#include <cstddef>

#include "unroll/core/types.h"

namespace unroll {

/// Converts an index to the type of the standard library's containers.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace unroll
