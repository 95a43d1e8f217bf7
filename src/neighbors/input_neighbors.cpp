#include "neighbors/input_neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The first n_neighbors of each row, up to the radius: the result that a search among the points would give.
Neighbors first_of(const Neighbors& given, Index n, const NeighborOptions& options) {
  if (given.graph.size() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the neighbors are those of {} points, the input has {}", given.graph.size(), n));
  if (options.radius && !options.n_neighbors)
    throw Error(ErrorKind::Unsupported, "neighbors that came with the input may not be all within the radius",
                "ask for n_neighbors, or leave the neighbors out");
  const double radius = options.radius.value_or(std::numeric_limits<double>::infinity());
  Neighbors result{.report = given.report};
  NeighborGraph& graph = result.graph;
  for (Index i = 0; i < n; ++i) {
    const auto neighbors = given.graph.neighbors_of(i);
    const auto distances = given.graph.distances_of(i);
    const Index count = options.n_neighbors.value_or(std::ssize(neighbors));  // of a sparse matrix: all
    if (std::ssize(neighbors) < count)
      throw Error(ErrorKind::InvalidData,
                  fmt::format("point {} came with {} neighbors, n_neighbors={}", i + 1, neighbors.size(), count),
                  "find more of them, or use a smaller n_neighbors");
    const auto within = std::upper_bound(distances.begin(), distances.begin() + count, radius) - distances.begin();
    graph.neighbors.insert(graph.neighbors.end(), neighbors.begin(), neighbors.begin() + within);
    graph.distances.insert(graph.distances.end(), distances.begin(), distances.begin() + within);
    graph.offsets.push_back(graph.edges());
  }
  return result;
}

}  // namespace

Neighbors input_neighbors(const Input& input, const NeighborOptions& options, const Run& run) {
  if (input.neighbors != nullptr) return first_of(*input.neighbors, input.size(), options);
  return input.is_sparse() ? neighbors(input.sparse(), options, run) : neighbors(input.full(), options, run);
}

std::optional<PointsView> full_values(const Input& input) {
  return input.is_sparse() ? std::nullopt : std::optional(input.full());
}

}  // namespace unroll
