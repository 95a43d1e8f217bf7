#include "neighbors/ranks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace unroll {
namespace {

/// Joins every point to some others, near and far, and to some not at all.
NeighborGraph some_edges(Index n) {
  const Random random(1, "test.edges");
  NeighborGraph graph;
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> to;
    for (std::uint64_t e = 0; i % 5 != 0 && e < 7; ++e) {
      const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(i), e));
      if (j != i && std::find(to.begin(), to.end(), j) == to.end()) to.push_back(j);
    }
    graph.neighbors.insert(graph.neighbors.end(), to.begin(), to.end());
    graph.distances.resize(graph.neighbors.size());
    graph.offsets.push_back(graph.edges());
  }
  return graph;
}

/// The place of every end of an edge in the complete list of neighbours.
std::vector<Index> places(PointsView points, const NeighborGraph& graph) {
  const NeighborGraph all = neighbors(points, {.n_neighbors = points.rows() - 1}).graph;
  std::vector<Index> ranks;
  for (Index i = 0; i < graph.size(); ++i) {
    const auto order = all.neighbors_of(i);
    for (const Index j : graph.neighbors_of(i))
      ranks.push_back(std::find(order.begin(), order.end(), j) - order.begin() + 1);
  }
  return ranks;
}

template <class T>
void expect_places(const Array2<T>& points, const char* what) {
  const NeighborGraph graph = some_edges(points.rows());
  const std::vector<Index> expected = places(points, graph);
  for (const int threads : {1, 3})
    EXPECT_EQ(neighbor_ranks(points, graph, {}, {.threads = threads}), expected) << what << ", " << points.cols();
}

class NeighborRanks : public testing::TestWithParam<Index> {};

TEST_P(NeighborRanks, ArePlacesAmongAllPoints) {
  const Random random(0, "test.points");
  Array2<double> cloud(700, GetParam());
  Array2<float> grid(700, GetParam());
  for (Index i = 0; i < 700; ++i)
    for (Index j = 0; j < GetParam(); ++j) {
      const auto at = static_cast<std::uint64_t>(i), axis = static_cast<std::uint64_t>(j);
      cloud(i, j) = random.normal(at, axis);
      grid(i, j) = static_cast<float>(random.below(5, at, axis));
    }
  expect_places(cloud, "a cloud");
  expect_places(grid, "ties and copies");
  Array2<double> scales = cloud, tiny = cloud;
  for (Index i = 0; i < 700; ++i)
    for (Index j = 0; j < GetParam(); ++j) {
      scales(i, j) = cloud(i, j) * std::pow(10.0, -static_cast<double>(i % 40));
      tiny(i, j) = i == 0 ? 1.0 : cloud(i, j) * 1e-170;
    }
  expect_places(scales, "points around a point, at all scales");
  expect_places(tiny, "squares that vanish");
}

INSTANTIATE_TEST_SUITE_P(Columns, NeighborRanks, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace unroll
