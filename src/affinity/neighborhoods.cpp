#include "affinity/neighborhoods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/at.h"
#include "core/finite.h"
#include "neighbors/components_policy.h"
#include "neighbors/graph_findings.h"
#include "neighbors/input_neighbors.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The ends of joining edges become neighbours of each other, sorted in by distance, then index.
NeighborGraph with_joining(const NeighborGraph& nearest, const std::vector<JoiningEdge>& joining) {
  std::vector<std::vector<std::pair<double, Index>>> added(at(nearest.size()));
  for (const JoiningEdge& edge : joining) {
    added[at(edge.first)].emplace_back(edge.distance, edge.second);
    added[at(edge.second)].emplace_back(edge.distance, edge.first);
  }
  NeighborGraph graph;
  for (Index i = 0; i < nearest.size(); ++i) {
    std::vector<std::pair<double, Index>> row = added[at(i)];
    for (std::size_t e = 0; e < nearest.neighbors_of(i).size(); ++e)
      row.emplace_back(nearest.distances_of(i)[e], nearest.neighbors_of(i)[e]);
    std::sort(row.begin(), row.end());
    for (const auto& [distance, neighbor] : row) {
      graph.neighbors.push_back(neighbor);
      graph.distances.push_back(distance);
    }
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

/// For every component, whether all its edges have length 0: its points coincide.
std::vector<bool> collapsed(const NeighborGraph& graph, const Components& components) {
  std::vector<bool> result(components.sizes.size(), true);
  for (Index i = 0; i < graph.size(); ++i)
    for (const double distance : graph.distances_of(i))
      if (distance > 0) result[at(components.labels[at(i)])] = false;
  return result;
}

/// Says what components in one map mean for its coordinates.
void explain_indicators(Neighborhoods& found) {
  const Index first = found.components.count() - 1;
  found.warnings.back().message += first > 1
                                       ? fmt::format("; the first {} coordinates tell the parts apart only", first)
                                       : "; the first coordinate tells the parts apart only";
}

}  // namespace

Neighborhoods find_neighborhoods(const Input& input, const NeighborhoodOptions& options, const Run& run) {
  const NeighborOptions& search = options.neighbors;
  Neighbors found = input_neighbors(input, search, run);
  require_finite(found.graph.distances, "distances");
  Neighborhoods result{.search = search, .components = connected_components(found.graph, run)};
  result.warnings = std::move(found.report.warnings);
  if (result.components.count() > 1) {
    ConnectedGraph joined =
        resolve_components({.components = options.components}, symmetrized(found.graph, Symmetrization::Union, run),
                           found.graph, full_values(input), search, run);
    result.warnings.insert(result.warnings.end(), joined.warnings.begin(), joined.warnings.end());
    result.components = std::move(joined.components);
    if (options.components == ComponentsPolicy::Keep) explain_indicators(result);
    result.joining = std::ssize(joined.joining);
    if (result.joining > 0) found.graph = with_joining(found.graph, joined.joining);
  }
  result.collapsed = collapsed(found.graph, result.components);
  if (result.components.count() == 1 && result.collapsed.front())
    throw Error(ErrorKind::InvalidData,
                fmt::format("all {} samples are identical: there is nothing to map", found.graph.size()),
                "remove duplicates");
  result.attributes = {{"components", std::int64_t{result.components.count()}},
                       {"joining_edges", std::int64_t{result.joining}},
                       {"graph_edges", std::int64_t{found.graph.edges()}},
                       {"recall", found.report.recall}};
  result.graph = std::move(found.graph);
  return result;
}

}  // namespace unroll
