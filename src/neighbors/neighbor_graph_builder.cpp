#include "neighbors/neighbor_graph_builder.h"

#include <fmt/format.h>

#include <cmath>

#include "core/memory.h"
#include "core/text.h"
#include "unroll/core/error.h"

namespace unroll {

NeighborGraphBuilder::NeighborGraphBuilder(Index rows, SearchLimits limits, Index available, const Run& run)
    : fixed_(std::isinf(limits.radius) && limits.count <= available),
      count_(fixed_ ? limits.count : 0),
      budget_(memory_budget(run)) {
  graph_.offsets.resize(static_cast<std::size_t>(rows) + 1);
  if (!fixed_) {
    rows_.resize(static_cast<std::size_t>(rows));
    return;
  }
  const auto edges = static_cast<std::size_t>(checked_size(rows, count_, sizeof(Candidate)));
  resize_large(graph_.neighbors, edges, run);
  resize_large(graph_.distances, edges, run);
  for (Index i = 0; i <= rows; ++i) graph_.offsets[static_cast<std::size_t>(i)] = i * count_;
}

void NeighborGraphBuilder::set(Index row, std::span<const Candidate> nearest) {
  if (!fixed_) {
    constexpr std::uint64_t kBytes = 2 * sizeof(Candidate);  // here, and in the finished graph
    const std::uint64_t edges = edges_ += nearest.size();
    if (edges > budget_ / kBytes)
      throw Error(ErrorKind::OutOfMemory,
                  fmt::format("the graph has more than {} edges, for which the memory budget of {} is too small", edges,
                              human_bytes(static_cast<double>(budget_))),
                  "use a smaller radius, or n_neighbors");
    rows_[static_cast<std::size_t>(row)].assign(nearest.begin(), nearest.end());
    return;
  }
  if (static_cast<Index>(nearest.size()) != count_)
    throw Error(ErrorKind::Internal,
                fmt::format("point {} has {} neighbors instead of {}", row + 1, nearest.size(), count_));
  auto place = static_cast<std::size_t>(row * count_);
  for (const Candidate& candidate : nearest) {
    graph_.neighbors[place] = candidate.index;
    graph_.distances[place++] = candidate.distance;
  }
}

NeighborGraph NeighborGraphBuilder::take() {
  if (fixed_) return std::move(graph_);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    graph_.offsets[i + 1] = graph_.offsets[i] + static_cast<Index>(rows_[i].size());
  graph_.neighbors.reserve(static_cast<std::size_t>(graph_.offsets.back()));
  graph_.distances.reserve(static_cast<std::size_t>(graph_.offsets.back()));
  for (auto& held : rows_) {
    const std::vector<Candidate> row = std::move(held);  // freed after it has been copied
    for (const Candidate& candidate : row) {
      graph_.neighbors.push_back(candidate.index);
      graph_.distances.push_back(candidate.distance);
    }
  }
  return std::move(graph_);
}

}  // namespace unroll
