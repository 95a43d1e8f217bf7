#include "unroll/neighbors/components.h"

#include <algorithm>
#include <numeric>

#include "neighbors/disjoint_sets.h"

namespace unroll {

Components numbered(DisjointSets& sets, Index n) {
  Components result;
  std::vector<Index> label_of(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; ++i) {
    Index& label = label_of[static_cast<std::size_t>(sets.find(i))];
    if (label < 0) {
      label = result.count();
      result.sizes.push_back(0);
    }
    result.labels.push_back(label);
    ++result.sizes[static_cast<std::size_t>(label)];
  }
  return result;
}

Components connected_components(const NeighborGraph& graph) {
  DisjointSets sets(graph.size());
  for (Index i = 0; i < graph.size(); ++i)
    for (const Index j : graph.neighbors_of(i)) sets.join(i, j);
  return numbered(sets, graph.size());
}

Connectivity connectivity(const NeighborGraph& nearest) {
  Connectivity result;
  DisjointSets sets(nearest.size());
  std::vector<Index> reaching(static_cast<std::size_t>(nearest.size()));  // points that have a k-th neighbour
  std::iota(reaching.begin(), reaching.end(), Index{0});
  for (Index k = 1;; ++k) {
    std::erase_if(reaching, [&](Index i) { return nearest.degree(i) < k; });
    if (reaching.empty()) return result;
    for (const Index i : reaching) sets.join(i, nearest.neighbors_of(i)[static_cast<std::size_t>(k - 1)]);
    result.components_for_k.push_back(sets.count());
    if (sets.count() == 1 && !result.smallest_connecting_k) result.smallest_connecting_k = k;
  }
}

Connectivity connectivity(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options,
                          const Run& run) {
  constexpr Index kMostEdges = 2'000'000;
  Connectivity result = connectivity(nearest);
  NeighborOptions wider = options;
  if (options.radius) return result;  // more neighbours are not nearer
  const Index n = points.rows();
  while (!result.smallest_connecting_k && std::ssize(result.components_for_k) < n - 1) {
    wider.n_neighbors = std::min(n - 1, 2 * static_cast<Index>(result.components_for_k.size()));
    if (*wider.n_neighbors > kMostEdges / n) break;
    result = connectivity(neighbors(points, wider, run).graph);
    // Once connected, always connected.
    if (result.smallest_connecting_k)
      result.components_for_k.resize(static_cast<std::size_t>(*result.smallest_connecting_k));
  }
  return result;
}

}  // namespace unroll
