#include "neighbors/entry_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "unroll/core/error.h"

namespace unroll {
namespace {

constexpr double kAnyLength = std::numeric_limits<double>::max();

std::optional<Index> common_degree(const NeighborGraph& graph) {
  const Index k = graph.degree(0);
  for (Index i = 1; i < graph.size(); ++i)
    if (graph.degree(i) != k) return {};
  return k;
}

/// Whether two edges i-j-k that are no longer than the radius together have the edge i-k beside them, as the triangle
/// inequality asks of all points within a radius. A look at many of them is enough: the nearest of every point fail
/// at once where points lie more densely in one place than in another.
bool closes_triangles(const NeighborGraph& graph, double radius, const Run& run) {
  constexpr Index kMostLooks = 100'000'000;
  constexpr double kRounding = 1e-9;
  std::vector<Index> joined_to(static_cast<std::size_t>(graph.size()), -1);
  Index looks = 0;
  for (Index i = 0; i < graph.size() && looks < kMostLooks; ++i) {
    if (i % 1024 == 0) run.check_cancelled();
    joined_to[static_cast<std::size_t>(i)] = i;
    for (const Index j : graph.neighbors_of(i)) joined_to[static_cast<std::size_t>(j)] = i;
    for (std::size_t e = 0; e < graph.neighbors_of(i).size(); ++e) {
      const Index j = graph.neighbors_of(i)[e];
      const double left = radius * (1 - kRounding) - graph.distances_of(i)[e];
      for (std::size_t f = 0; f < graph.neighbors_of(j).size() && graph.distances_of(j)[f] <= left; ++f, ++looks)
        if (joined_to[static_cast<std::size_t>(graph.neighbors_of(j)[f])] != i) return false;
    }
  }
  return true;
}

}  // namespace

NeighborOptions all_entries(NeighborOptions options) {
  options.n_neighbors = {};
  options.radius = kAnyLength;
  return options;
}

bool takes_all_entries(const NeighborOptions& options) {
  return options.metric == Metric::Precomputed && !options.n_neighbors && options.radius == kAnyLength;
}

std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options, const Run& run) {
  if (entries.edges() == 0) return {};
  options.radius = {};
  if (const auto k = common_degree(entries)) {
    options.n_neighbors = *k;
    return options;
  }
  const bool is_symmetric = symmetrized(entries, Symmetrization::Union, run).edges() == entries.edges();
  const double longest = *std::max_element(entries.distances.begin(), entries.distances.end());
  if (!is_symmetric || !closes_triangles(entries, longest, run)) return {};
  options.radius = longest;
  return options;
}

void check_zeros(const NeighborGraph& entries, Index row, std::span<const Index> neighbors,
                 std::span<const double> distances) {
  const auto zeros = std::upper_bound(distances.begin(), distances.end(), 0.0) - distances.begin();
  if (zeros < 2) return;
  const Index same = neighbors.front();
  for (std::size_t e = 0; e < entries.neighbors_of(same).size(); ++e) {
    const Index other = entries.neighbors_of(same)[e];
    const double apart = entries.distances_of(same)[e];
    if (apart > 0 && std::binary_search(neighbors.begin(), neighbors.begin() + zeros, other))
      throw Error(
          ErrorKind::InvalidData,
          Error::Parts{.who = "transform",
                       .problem = fmt::format("has distance 0 from the training points {} and {}, which are {:g} apart",
                                              same + 1, other + 1, apart),
                       .advice = "a distance that is missing cannot be told by 0: use rows of all distances",
                       .row = row});
  }
}

void refuse_new_points(const NeighborGraph& entries) {
  Index fewest = entries.size(), most = 0;
  for (Index i = 0; i < entries.size(); ++i) {
    fewest = std::min(fewest, entries.degree(i));
    most = std::max(most, entries.degree(i));
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("transform: the rows of the sparse matrix that was fitted have {} to {} entries, and they are "
                  "not those within one radius: which neighbors a new point would have cannot be told; fit "
                  "with {}a radius",
                  fewest, most, fewest > 0 ? fmt::format("n_neighbors={} or ", fewest) : ""));
}

}  // namespace unroll
