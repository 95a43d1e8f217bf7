#pragma once
#include <span>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// The places of each value in a list of values.
struct Occurrences {
  std::vector<Index> offsets = {};  ///< value v stands at places [offsets[v], offsets[v + 1])
  std::vector<Index> places = {};   ///< ascending for every value

  std::span<const Index> of(Index value) const {
    const auto v = static_cast<std::size_t>(value);
    return {places.data() + offsets[v], places.data() + offsets[v + 1]};
  }
};

/// The values are 0 .. count - 1.
Occurrences occurrences(std::span<const Index> values, Index count, const Run& run);

}  // namespace unroll
