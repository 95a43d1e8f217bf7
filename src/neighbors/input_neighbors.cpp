#include "neighbors/input_neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.h"
#include "core/parallel.h"
#include "neighbors/given_distances.h"
#include "unroll/core/error.h"

namespace unroll {
namespace {

[[noreturn]] void refuse(Index point, const std::string& why) {
  throw Error(ErrorKind::InvalidData, fmt::format("the neighbors that came with point {} {}", point + 1, why),
              "give what `neighbors` returns");
}

void check_row(const NeighborGraph& graph, Index i, std::vector<Index>& sorted) {
  const auto neighbors = graph.neighbors_of(i);
  const auto distances = graph.distances_of(i);
  for (std::size_t k = 0; k < neighbors.size(); ++k) {
    if (neighbors[k] < 0 || neighbors[k] >= graph.size())
      refuse(i, fmt::format("have the number {}, of {} points", neighbors[k], graph.size()));
    if (neighbors[k] == i) refuse(i, "contain the point itself");
    if (!std::isfinite(distances[k]) || distances[k] < 0) refuse(i, fmt::format("have the distance {}", distances[k]));
    if (k > 0 && distances[k] < distances[k - 1]) refuse(i, "are not ordered by distance");
  }
  sorted.assign(neighbors.begin(), neighbors.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) refuse(i, "contain a point twice");
}

/// Throws InvalidData unless this is a NeighborGraph of n points as the header describes it.
void check_graph(const NeighborGraph& graph, Index n, const Run& run) {
  constexpr Index kRows = 1024;
  if (graph.size() != n)
    throw Error(ErrorKind::InvalidData,
                fmt::format("the neighbors are those of {} points, the input has {}", graph.size(), n));
  const bool is_whole = graph.offsets.front() == 0 && graph.offsets.back() == graph.edges() &&
                        graph.neighbors.size() == graph.distances.size() &&
                        std::is_sorted(graph.offsets.begin(), graph.offsets.end());
  if (!is_whole)
    throw Error(ErrorKind::InvalidData, "the neighbors that came with the input do not belong to their offsets",
                "give what `neighbors` returns");
  parallel_for(run, n, kRows, [&](Index begin, Index end) {
    std::vector<Index> sorted;
    for (Index i = begin; i < end; ++i) check_row(graph, i, sorted);
  });
}

/// The first n_neighbors of each row, up to the radius: the result that a search among the points would give.
Neighbors first_of(const Neighbors& given, Index n, const NeighborOptions& options, const Run& run) {
  check_graph(given.graph, n, run);
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
  if (input.neighbors != nullptr) {
    // A search among distances would have checked them.
    if (input.kind() == InputKind::Distances) check_distances(input.full(), run);
    if (input.kind() == InputKind::SparseDistances) check_distances(input.sparse());
    return first_of(*input.neighbors, input.size(), options, run);
  }
  return input.is_sparse() ? neighbors(input.sparse(), options, run) : neighbors(input.full(), options, run);
}

std::optional<PointsView> full_values(const Input& input) {
  return input.is_sparse() ? std::nullopt : std::optional(input.full());
}

}  // namespace unroll
