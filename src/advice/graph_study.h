#pragma once
#include <vector>

#include "unroll/advice/advise.h"

namespace unroll {

/// What the graphs of nearest neighbours say before any map is made.
struct GraphStudy {
  std::vector<GraphFinding> graphs = {};
  std::optional<Index> smallest_connecting_k = {};
  double dimension = 0;
};

/// For these numbers of neighbours, ascending.
GraphStudy study_graphs(PointsView points, const std::vector<Index>& sizes, const AdviceOptions& options,
                        const Run& run);

}  // namespace unroll
