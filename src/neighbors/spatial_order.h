#pragma once
#include <vector>

#include "unroll/core/run.h"
#include "unroll/core/types.h"

namespace unroll {

/// A balanced k-d tree over leaves of exactly `leaf` points (the last may have fewer): the range of leaves of a node is
/// halved until one is left. Nothing is stored; a node with m leaves has 2m - 1 nodes below and with it, so that in
/// preorder its left child follows it and its right child comes after those.
struct LeafRange {
  Index first = 0;
  Index count = 0;

  Index left_count() const { return (count + 1) / 2; }
  LeafRange left() const { return {first, left_count()}; }
  LeafRange right() const { return {first + left_count(), count - left_count()}; }
};

/// The points in the order of such a tree's leaves: near in space, near in memory. Each range is split across the
/// coordinate with the largest variance. Ties are split by index.
std::vector<Index> spatial_order(MatrixView<float> coordinates, Index leaf, const Run& run);
std::vector<Index> spatial_order(MatrixView<double> coordinates, Index leaf, const Run& run);

}  // namespace unroll
