#pragma once
#include <string_view>
#include <vector>

#include "core/parallel.h"

namespace unroll {

/// Calls visit(a, b) for all pairs a <= b of blocks, near ones first. No two concurrent calls share a block, so a call
/// may write to the data of both: among the pairs (a, a + offset), those with a / offset even share no block, and
/// neither do the odd ones. `stage`, if not empty, is reported as progress.
template <class Visit>
void for_block_pairs(Index blocks, const Run& run, std::string_view stage, Visit&& visit) {
  for (Index offset = 0; offset < blocks; ++offset) {
    for (Index phase = 0; phase < (offset == 0 ? 1 : 2); ++phase) {
      std::vector<Index> first;
      for (Index a = 0; a + offset < blocks; ++a)
        if (offset == 0 || a / offset % 2 == phase) first.push_back(a);
      parallel_for(run, static_cast<Index>(first.size()), 1, [&](Index i, Index) {
        visit(first[static_cast<std::size_t>(i)], first[static_cast<std::size_t>(i)] + offset);
      });
    }
    if (stage.empty()) continue;
    const auto left = static_cast<double>(blocks - offset - 1);
    run.report({.stage = stage, .fraction = 1 - left * (left + 1) / static_cast<double>(blocks * (blocks + 1))});
  }
}

}  // namespace unroll
