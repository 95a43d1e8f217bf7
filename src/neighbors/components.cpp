#include "unroll/neighbors/components.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/concurrent_sets.h"
#include "neighbors/disjoint_sets.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

constexpr Index kPoints = 8192;  // at a time

}  // namespace

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

Components connected_components(const NeighborGraph& graph, const Run& run) {
  const Index n = graph.size();
  ConcurrentSets sets(n);
  parallel_for(run, n, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (const Index j : graph.neighbors_of(i)) sets.join(i, j);
  });
  Components result{.labels = std::vector<Index>(at(n))};
  parallel_for(run, n, kPoints, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) result.labels[at(i)] = sets.find(i);
  });
  for (Index i = 0; i < n; ++i) {
    Index& label = result.labels[at(i)];
    if (label == i) {
      label = result.count();
      result.sizes.push_back(0);
    } else {
      label = result.labels[at(label)];  // its lowest point is labelled already
    }
    ++result.sizes[at(label)];
  }
  return result;
}

Components connected_components(const NeighborGraph& graph) { return connected_components(graph, {.threads = 1}); }

Connectivity connectivity(const NeighborGraph& nearest, const Run& run) {
  Connectivity result;
  ConcurrentSets sets(nearest.size());
  Index components = nearest.size();
  std::vector<Index> reaching(at(nearest.size()));  // points that have a k-th neighbour
  std::iota(reaching.begin(), reaching.end(), Index{0});
  Index all_reach = 0;  // every point has this many neighbours
  for (Index k = 1;; ++k) {
    if (k > all_reach) {
      std::erase_if(reaching, [&](Index i) { return nearest.degree(i) < k; });
      if (reaching.empty()) return result;
      all_reach = nearest.degree(reaching.front());
      for (const Index i : reaching) all_reach = std::min(all_reach, nearest.degree(i));
    }
    if (components > 1)
      components -= parallel_reduce(
          run, std::ssize(reaching), kPoints, Index{0},
          [&](Index begin, Index end) {
            Index joined = 0;
            for (Index r = begin; r < end; ++r) {
              const Index i = reaching[at(r)];
              joined += sets.join(i, nearest.neighbors_of(i)[at(k - 1)]) ? 1 : 0;
            }
            return joined;
          },
          std::plus<>());
    result.components_for_k.push_back(components);
    if (components == 1 && !result.smallest_connecting_k) result.smallest_connecting_k = k;
  }
}

Connectivity connectivity(const NeighborGraph& nearest) { return connectivity(nearest, {.threads = 1}); }

Connectivity connectivity(PointsView points, const NeighborGraph& nearest, const NeighborOptions& options,
                          const Run& run) {
  constexpr Index kMostEdges = 2'000'000;
  Connectivity result = connectivity(nearest, run);
  NeighborOptions wider = options;
  if (options.radius) return result;  // the radius excludes further neighbours
  const Index n = points.rows();
  while (!result.smallest_connecting_k && std::ssize(result.components_for_k) < n - 1) {
    wider.n_neighbors = std::min(n - 1, 2 * static_cast<Index>(result.components_for_k.size()));
    if (*wider.n_neighbors > kMostEdges / n) break;
    result = connectivity(neighbors(points, wider, run).graph, run);
    // A connected graph stays connected with more neighbours.
    if (result.smallest_connecting_k)
      result.components_for_k.resize(static_cast<std::size_t>(*result.smallest_connecting_k));
  }
  return result;
}

}  // namespace unroll
