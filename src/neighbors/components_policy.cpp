#include "neighbors/components_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/at.h"
#include "core/text.h"
#include "neighbors/graph_findings.h"

namespace unroll {
namespace {

std::string sizes_text(const Components& components) {
  constexpr std::size_t kShownSizes = 5;
  std::vector<Index> sizes = components.sizes;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(sizes.size(), kShownSizes); ++i) shown.push_back(fmt::format("{}", sizes[i]));
  return fmt::format("{}{} points", joined(shown), sizes.size() > kShownSizes ? ", ..." : "");
}

std::string what_is_done(ComponentsPolicy policy) {
  switch (policy) {
    case ComponentsPolicy::Connect: return "; the shortest edges between them were added";
    case ComponentsPolicy::Separate:
      return "; each has a map of its own, side by side: distances between maps mean nothing";
    default: return "";
  }
}

/// A radius that is as long as this edge, in three digits.
std::string enough_radius(const JoiningEdge& longest) {
  const double length = longest.distance * (1 + 1e-12);  // rounding must not make it too short
  const double unit = std::pow(10, std::floor(std::log10(length)) - 2);
  return fmt::format("radius={:.3g}", std::ceil(length / unit) * unit);
}

/// Advice in words. A graph that needs very many neighbours to be connected is better left in parts. `joining` are the
/// edges that would join the components, the longest last.
std::string advice_for(const GraphPolicy& policy, std::optional<PointsView> points, const NeighborGraph& nearest,
                       const std::vector<JoiningEdge>& joining, const NeighborOptions& options, const Run& run) {
  const bool may_part = policy.can_separate && policy.components != ComponentsPolicy::Separate;
  const std::string or_part = may_part ? ", or components=separate" : "";
  if (!points) return "use a graph with more entries" + or_part;
  if (options.radius)
    return fmt::format("use {}, about the smallest that connects all points{}", enough_radius(joining.back()), or_part);
  if (policy.symmetrization == Symmetrization::Mutual)
    return "use a larger n_neighbors, or symmetrization=union" + or_part;
  const std::optional<Index> k = connectivity(*points, nearest, options, run).smallest_connecting_k;
  if (!k)  // more neighbours than were tried
    return (policy.components == ComponentsPolicy::Connect ? "use a larger n_neighbors"
                                                           : "use components=connect, or a larger n_neighbors") +
           or_part;
  constexpr Index kFarMore = 5;
  if (options.n_neighbors && *k > kFarMore * *options.n_neighbors)
    return fmt::format("{}it would take n_neighbors={} to connect all points",
                       may_part ? "use components=separate: " : "they are far apart: ", *k);
  return fmt::format("use n_neighbors={}, the smallest that connects all points", *k);
}

}  // namespace

ConnectedGraph resolve_components(const GraphPolicy& policy, NeighborGraph graph, const NeighborGraph& nearest,
                                  std::optional<PointsView> points, const NeighborOptions& options, const Run& run) {
  const bool connects = policy.components == ComponentsPolicy::Connect;
  ConnectedGraph result{.graph = std::move(graph)};
  result.components = connected_components(result.graph, run);
  if (result.components.count() == 1) return result;
  const std::string finding = fmt::format("the number of connected components of the neighbor graph is {} > 1 ({})",
                                          result.components.count(), sizes_text(result.components));
  std::vector<JoiningEdge> joining;
  if (points && (connects || (options.radius && !policy.hint)))
    joining = connecting_edges(*points, result.components, options, run);
  const std::string hint = policy.hint ? *policy.hint : advice_for(policy, points, nearest, joining, options, run);
  if (policy.components == ComponentsPolicy::Error || (connects && !points))
    throw Error(ErrorKind::Disconnected, finding + (points ? "" : ", and without all distances nothing can be joined"),
                hint);
  result.warnings.push_back({"graph-disconnected", finding + what_is_done(policy.components), hint});
  if (connects) {
    result.joining = std::move(joining);
    result.graph = connect(result.graph, result.joining);
    result.components = connected_components(result.graph, run);
  }
  return result;
}

ComponentPoints::ComponentPoints(const Components& components)
    : members(components.sizes.size()), number(components.labels.size()) {
  for (std::size_t i = 0; i < number.size(); ++i) {
    std::vector<Index>& own = members[at(components.labels[i])];
    number[i] = std::ssize(own);
    own.push_back(static_cast<Index>(i));
  }
}

NeighborGraph subgraph(const NeighborGraph& graph, const std::vector<Index>& points) {
  std::vector<Index> number(at(graph.size()), -1);
  for (std::size_t p = 0; p < points.size(); ++p) number[at(points[p])] = static_cast<Index>(p);
  NeighborGraph part;
  for (const Index i : points) {
    for (const Index neighbor : graph.neighbors_of(i)) part.neighbors.push_back(number[at(neighbor)]);
    const auto distances = graph.distances_of(i);
    part.distances.insert(part.distances.end(), distances.begin(), distances.end());
    part.offsets.push_back(part.edges());
  }
  return part;
}

Warning largest_component(std::string_view what, Index points, bool is_largest) {
  return {"largest-component",
          fmt::format("{} that of the largest component{}, of {} points", what,
                      is_largest ? "" : " that is not all copies of one point", points),
          ""};
}

std::vector<double> side_by_side(const Array2<double>& coordinates, const Components& components) {
  const auto count = static_cast<std::size_t>(components.count());
  std::vector<double> low(count, std::numeric_limits<double>::infinity()), high(count, -low.front());
  for (Index i = 0; i < coordinates.rows(); ++i) {
    const auto c = static_cast<std::size_t>(components.labels[static_cast<std::size_t>(i)]);
    low[c] = std::min(low[c], coordinates(i, 0));
    high[c] = std::max(high[c], coordinates(i, 0));
  }
  double widest = 0;
  for (std::size_t c = 0; c < count; ++c) widest = std::max(widest, high[c] - low[c]);
  const double gap = widest > 0 ? 0.1 * widest : 1;
  std::vector<double> offsets;
  double end = low.front();
  for (std::size_t c = 0; c < count; ++c) {
    offsets.push_back(end - low[c]);
    end += high[c] - low[c] + gap;
  }
  return offsets;
}

}  // namespace unroll
