#pragma once
#include "rank_components.h"
#include "rank_points.h"
#include "ranks.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll::cluster {

/// A graph of neighbours and what is found about it, with points where the search wants them.
struct FoundGraph {
  RankGraph graph = {};
  RankComponents components = {};
  SearchReport search = {};
};

/// Whether most of the neighbours can be found instead of all.
bool can_approximate(const NeighborOptions& options);

/// The graph of all points, of which `own` are a slice. Exact, with the bytes that one process finds, unless the
/// options say otherwise, or leave the choice and there are many points in many dimensions. Collective.
FoundGraph find_graph(const Ranks& ranks, RankPoints own, const NeighborOptions& options, Index n, const Run& run);

}  // namespace unroll::cluster
