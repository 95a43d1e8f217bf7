#pragma once
#include <string>
#include <vector>

#include "unroll/core/options.h"
#include "unroll/neighbors/components.h"
#include "unroll/neighbors/intrinsic_dimension.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll::cli {

/// Of the points of a graph.
struct GraphDegrees {
  Index low = 0, high = 0;
  Index sum = 0;  ///< all edges

  double mean(Index points) const { return points == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(points); }
};
GraphDegrees degrees_of(const NeighborGraph& graph);

/// All that is found about a graph of neighbours.
struct GraphSummary {
  Index points = 0;
  GraphDegrees degrees = {};
  SearchReport search = {};
  std::vector<Index> component_sizes = {};
  Connectivity connectivity = {};
  IntrinsicDimension dimension = {};
};

/// For the report.
OptionValues graph_values(const GraphSummary& found);
/// For people.
std::string graph_text(const GraphSummary& found, std::size_t width);

}  // namespace unroll::cli
