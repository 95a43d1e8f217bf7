#include "neighbors/entry_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unroll/core/error.h"

namespace unroll {
namespace {

std::optional<Index> common_degree(const NeighborGraph& graph) {
  const Index k = graph.degree(0);
  for (Index i = 1; i < graph.size(); ++i)
    if (graph.degree(i) != k) return {};
  return k;
}

}  // namespace

bool takes_all_entries(const NeighborOptions& options) {
  return options.metric == Metric::Precomputed && !options.n_neighbors && !options.radius;
}

std::optional<NeighborOptions> rule_of_entries(const NeighborGraph& entries, NeighborOptions options) {
  if (entries.edges() == 0) return {};
  const auto k = common_degree(entries);
  if (!k) return {};
  options.n_neighbors = *k;
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
          Error::Parts{.problem = fmt::format("has distance 0 from the training points {} and {}, which are {:g} apart",
                                              same + 1, other + 1, apart),
                       .advice = "a distance that is missing cannot be told by 0: use rows of all distances",
                       .row = row});
  }
}

void refuse_new_points() {
  throw Error(
      ErrorKind::Unsupported,
      "all entries of the sparse matrix were taken as edges, and its rows have different numbers of them: which "
      "neighbors a new point has is not known",
      "fit with n_neighbors or a radius");
}

}  // namespace unroll
