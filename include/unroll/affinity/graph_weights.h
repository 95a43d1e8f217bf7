#pragma once
#include <array>

#include "unroll/core/options.h"
#include "unroll/neighbors/neighbor_graph.h"

/// How the edges of a graph of points are weighted.
namespace unroll {

/// Which pairs of points are edges.
enum class GraphKind {
  Neighbors,  ///< one end is among the nearest of the other, or within its radius
  Full,       ///< all pairs
};
constexpr auto enum_names(GraphKind) {
  return std::array{Named{GraphKind::Neighbors, "neighbors"}, Named{GraphKind::Full, "full"}};
}

enum class EdgeWeights {
  Heat,    ///< exp(-d^2 / (2 sigma^2)); this is exp(-d^2 / t) for t = 2 sigma^2, and exp(-d^2 / 4t) for t = sigma^2 / 2
  Binary,  ///< 1
  Precomputed,  ///< the input is the matrix of weights
};
constexpr auto enum_names(EdgeWeights) {
  return std::array{Named{EdgeWeights::Heat, "heat"}, Named{EdgeWeights::Binary, "binary"},
                    Named{EdgeWeights::Precomputed, "precomputed"}};
}

/// How sigma is chosen where it is not given.
enum class Bandwidth {
  Median,       ///< the median length of an edge (of a full graph: of the distances of a sample)
  SelfTuning,   ///< exp(-d^2 / (s_i s_j)), s_i the distance to the 7th neighbour (Zelnik-Manor & Perona 2005)
  BerryHarlim,  ///< where the sum of weights grows fastest with sigma, in logarithms (Berry & Harlim 2016)
};
constexpr auto enum_names(Bandwidth) {
  return std::array{Named{Bandwidth::Median, "median"}, Named{Bandwidth::SelfTuning, "self_tuning"},
                    Named{Bandwidth::BerryHarlim, "berry_harlim"}};
}

}  // namespace unroll
