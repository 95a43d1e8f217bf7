#pragma once
#include <cstdint>
#include <vector>

#include "unroll/core/export.h"

namespace unroll {

/// The label of a point whose label is not known: it is not counted, and does not tell those of others.
inline constexpr std::int64_t kNoLabel = INT64_MIN;

/// How far two partitions of the same points agree: the adjusted Rand index (Hubert & Arabie 1985). It is 1 for equal
/// partitions, whatever the names of their parts, 0 on average by chance, and can be negative. Throws InvalidData for
/// lists of different lengths.
UNROLL_API double adjusted_rand_index(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

}  // namespace unroll
