#pragma once
#include <cstddef>

#include "unroll/core/types.h"

namespace unroll {

/// An index as the standard library's containers want it.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace unroll
