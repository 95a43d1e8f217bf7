#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "unroll/core/run.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll {

/// Pairs of points, each once, with first < second, in ascending order.
struct NeighborPairs {
  std::vector<Index> first = {};
  std::vector<Index> second = {};
  std::vector<double> distances = {};

  Index size() const { return std::ssize(first); }
};

/// The distance of two points; none: it is not known, and the pair is left out.
using PairLength = std::function<std::optional<double>(Index, Index)>;

/// All pairs that are neighbours or share one, which is a point that both are among the nearest of; and the ends of the
/// joining edges. Their distances say also the angles at every point (Weinberger & Saul 2004). `length` is called from
/// several threads.
NeighborPairs neighbor_pairs(const NeighborGraph& nearest, const std::vector<JoiningEdge>& joining,
                             const PairLength& length, const Run& run);

}  // namespace unroll
