#include "neighbors/first_neighbors.h"

#include <algorithm>

#include "core/at.h"

namespace unroll {

NeighborGraph first_neighbors(const NeighborGraph& graph, Index count) {
  NeighborGraph first;
  for (Index i = 0; i < graph.size(); ++i) {
    const auto kept = at(std::min(count, graph.degree(i)));
    const auto neighbors = graph.neighbors_of(i).first(kept);
    const auto distances = graph.distances_of(i).first(kept);
    first.neighbors.insert(first.neighbors.end(), neighbors.begin(), neighbors.end());
    first.distances.insert(first.distances.end(), distances.begin(), distances.end());
    first.offsets.push_back(first.edges());
  }
  return first;
}

}  // namespace unroll
