#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "neighbors/disjoint_sets.h"
#include "neighbors/group_search.h"
#include "unroll/core/error.h"
#include "unroll/neighbors/components.h"

namespace unroll {
namespace {

/// A total order: it makes the spanning tree unique, and edges chosen at the same time cannot close a cycle.
bool is_shorter(const JoiningEdge& a, const JoiningEdge& b) {
  return std::tie(a.distance, a.first, a.second) < std::tie(b.distance, b.first, b.second);
}

/// The label of the largest set, the lowest of equals. Its own exits are not searched: the other sets reach it.
Index largest_set(const std::vector<Index>& set_of, std::size_t labels) {
  std::vector<Index> sizes(labels);
  for (const Index set : set_of) ++sizes[static_cast<std::size_t>(set)];
  return std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
}

/// The shortest edge out of every set but the largest.
std::vector<JoiningEdge> shortest_exits(PointsView points, const std::vector<Index>& set_of, std::size_t labels,
                                        const NeighborOptions& options, const Run& run) {
  const Index silent = largest_set(set_of, labels);
  std::vector<Index> queries;
  for (Index i = 0; i < points.rows(); ++i)
    if (set_of[static_cast<std::size_t>(i)] != silent) queries.push_back(i);
  const auto found = nearest_of_other_groups(points, set_of, queries, options, run);

  std::vector<std::optional<JoiningEdge>> best(labels);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto [low, high] = std::minmax(queries[q], found[q].index);
    const JoiningEdge edge{low, high, found[q].distance};
    auto& exit = best[static_cast<std::size_t>(set_of[static_cast<std::size_t>(queries[q])])];
    if (!exit || is_shorter(edge, *exit)) exit = edge;
  }
  std::vector<JoiningEdge> exits;
  for (const auto& exit : best)
    if (exit) exits.push_back(*exit);
  return exits;
}

void check(PointsView points, const Components& components) {
  if (static_cast<Index>(components.labels.size()) == points.rows()) return;
  throw Error(ErrorKind::InvalidData,
              fmt::format("connecting_edges: got labels of {} points for {} points; give the components of their graph",
                          components.labels.size(), points.rows()));
}

}  // namespace

std::vector<JoiningEdge> connecting_edges(PointsView points, const Components& components,
                                          const NeighborOptions& options, const Run& run) {
  check(points, components);
  std::vector<JoiningEdge> tree;
  std::vector<Index> set_of = components.labels;
  DisjointSets sets(components.count());
  while (sets.count() > 1) {
    for (const auto& edge : shortest_exits(points, set_of, components.sizes.size(), options, run)) {
      const Index a = components.labels[static_cast<std::size_t>(edge.first)];
      const Index b = components.labels[static_cast<std::size_t>(edge.second)];
      if (sets.join(a, b)) tree.push_back(edge);
    }
    for (std::size_t i = 0; i < set_of.size(); ++i) set_of[i] = sets.find(components.labels[i]);
  }
  std::sort(tree.begin(), tree.end(), is_shorter);
  return tree;
}

NeighborGraph connect(const NeighborGraph& graph, const std::vector<JoiningEdge>& edges) {
  std::vector<JoiningEdge> added = edges;
  std::sort(added.begin(), added.end(), [](const JoiningEdge& a, const JoiningEdge& b) {
    return std::tie(a.first, a.distance, a.second) < std::tie(b.first, b.distance, b.second);
  });
  NeighborGraph result;
  auto next = added.cbegin();
  for (Index i = 0; i < graph.size(); ++i) {
    const auto own = graph.neighbors_of(i);
    const auto begin = static_cast<std::ptrdiff_t>(result.neighbors.size());
    result.neighbors.insert(result.neighbors.end(), own.begin(), own.end());
    result.distances.insert(result.distances.end(), graph.distances_of(i).begin(), graph.distances_of(i).end());
    for (; next != added.cend() && next->first == i; ++next) {
      if (std::find(result.neighbors.begin() + begin, result.neighbors.end(), next->second) != result.neighbors.end())
        continue;
      result.neighbors.push_back(next->second);
      result.distances.push_back(next->distance);
    }
    result.offsets.push_back(result.edges());
  }
  return symmetrized(result, Symmetrization::Union, {.threads = 1});  // also sorts the rows
}

}  // namespace unroll
