#include "unroll/neighbors/neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbors/ranks.h"

// First version, Euclidean only; the search engine replaces it.
namespace unroll {
namespace {

std::vector<double> distances_from(PointsView points, Index i) {
  std::vector<double> d(static_cast<std::size_t>(points.rows()));
  points.visit([&](auto x) {
    for (Index j = 0; j < x.rows; ++j) {
      double sum = 0;
      for (Index c = 0; c < x.cols; ++c) {
        const double diff = static_cast<double>(x(i, c)) - static_cast<double>(x(j, c));
        sum += diff * diff;
      }
      d[static_cast<std::size_t>(j)] = std::sqrt(sum);
    }
  });
  return d;
}

std::vector<Index> order_from(const std::vector<double>& d, Index i) {
  std::vector<Index> order(d.size());
  std::iota(order.begin(), order.end(), Index{0});
  order.erase(order.begin() + i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return d[static_cast<std::size_t>(a)] < d[static_cast<std::size_t>(b)]; });
  return order;
}

}  // namespace

Neighbors neighbors(PointsView points, const NeighborOptions& options, const Run&) {
  Neighbors result;
  const auto k = static_cast<std::size_t>(std::min(options.n_neighbors.value_or(10), points.rows() - 1));
  for (Index i = 0; i < points.rows(); ++i) {
    const auto d = distances_from(points, i);
    const auto order = order_from(d, i);
    for (std::size_t r = 0; r < k; ++r) {
      result.graph.neighbors.push_back(order[r]);
      result.graph.distances.push_back(d[static_cast<std::size_t>(order[r])]);
    }
    result.graph.offsets.push_back(static_cast<Index>(result.graph.neighbors.size()));
  }
  return result;
}

std::vector<Index> neighbor_ranks(PointsView points, const NeighborGraph& graph, const NeighborOptions&, const Run&) {
  std::vector<Index> ranks;
  for (Index i = 0; i < points.rows(); ++i) {
    const auto order = order_from(distances_from(points, i), i);
    for (const Index j : graph.neighbors_of(i))
      ranks.push_back(std::find(order.begin(), order.end(), j) - order.begin() + 1);
  }
  return ranks;
}

}  // namespace unroll
