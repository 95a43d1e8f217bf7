#pragma once
#include "rank_components.h"
#include "ranks.h"
#include "unroll/core/run.h"
#include "unroll/neighbors/intrinsic_dimension.h"
#include "unroll/neighbors/neighbor_graph.h"

namespace unroll::cluster {

/// The rows of a graph at the homes of their points, in the order of the table. Collective.
NeighborGraph sent_home(const Ranks& ranks, const RankGraph& from, Index n);

/// The dimension by all rows of a graph at home, or by evenly chosen ones if they are many. Collective.
IntrinsicDimension find_dimension(const Ranks& ranks, const NeighborGraph& home, Index n, const Run& run);

}  // namespace unroll::cluster
