#include "unroll/neighbors/components.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "neighbors/disjoint_sets.h"
#include "neighbors/graph_findings.h"
#include "neighbors/group_search.h"
#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

/// `count` round clusters, 100 apart, points dealt out in turn.
Array2<double> clusters(Index n, Index count, std::uint64_t seed) {
  Array2<double> x = normal_matrix(n, 3, seed);
  for (Index i = 0; i < n; ++i) x(i, (i % count) % 3) += 100.0 * static_cast<double>(1 + i % count);
  return x;
}

double distance(const Array2<double>& x, Index i, Index j) {
  double sum = 0;
  for (Index c = 0; c < x.cols(); ++c) sum += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
  return std::sqrt(sum);
}

/// The first k neighbours of every point.
NeighborGraph cut(const NeighborGraph& graph, Index k) {
  NeighborGraph result;
  for (Index i = 0; i < graph.size(); ++i) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(std::min(k, graph.degree(i))); ++r) {
      result.neighbors.push_back(graph.neighbors_of(i)[r]);
      result.distances.push_back(graph.distances_of(i)[r]);
    }
    result.offsets.push_back(result.edges());
  }
  return result;
}

/// Kruskal over all pairs of points.
std::vector<JoiningEdge> tree_by_definition(const Array2<double>& x, const Components& components) {
  std::vector<JoiningEdge> all, tree;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = i + 1; j < x.rows(); ++j) all.push_back({i, j, distance(x, i, j)});
  std::sort(all.begin(), all.end(), [](const JoiningEdge& a, const JoiningEdge& b) {
    return std::tie(a.distance, a.first, a.second) < std::tie(b.distance, b.first, b.second);
  });
  DisjointSets sets(components.count());
  for (const auto& edge : all)
    if (sets.join(components.labels[static_cast<std::size_t>(edge.first)],
                  components.labels[static_cast<std::size_t>(edge.second)]))
      tree.push_back(edge);
  return tree;
}

void expect_same(const std::vector<JoiningEdge>& actual, const std::vector<JoiningEdge>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t e = 0; e < actual.size(); ++e) {
    EXPECT_EQ(std::pair(actual[e].first, actual[e].second), std::pair(expected[e].first, expected[e].second));
    EXPECT_NEAR(actual[e].distance, expected[e].distance, 1e-13 * expected[e].distance);
  }
}

TEST(Components, AreNumberedByTheirLowestPoint) {
  // 3 -> 0, 4 -> 1, 2 alone
  const NeighborGraph graph{{0, 0, 0, 0, 1, 2}, {0, 1}, {1, 1}};
  EXPECT_EQ(connected_components(graph), (Components{{0, 1, 2, 0, 1}, {2, 2, 1}}));
  EXPECT_EQ(connected_components({}), Components{});
}

TEST(Components, OfClusters) {
  const Components found = connected_components(neighbors(clusters(70, 4, 1), {.n_neighbors = 6}).graph);
  EXPECT_EQ(found.sizes, (std::vector<Index>{18, 18, 17, 17}));
  for (Index i = 0; i < 70; ++i) EXPECT_EQ(found.labels[static_cast<std::size_t>(i)], i % 4);
}

TEST(Connectivity, AgreesWithTheComponentsOfEveryK) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const NeighborGraph graph = neighbors(clusters(60, 3, seed), {.n_neighbors = 25}).graph;
    const Connectivity found = connectivity(graph);
    ASSERT_EQ(found.components_for_k.size(), 25U);
    std::optional<Index> smallest;
    for (Index k = 1; k <= 25; ++k) {
      const Index count = connected_components(cut(graph, k)).count();
      EXPECT_EQ(found.components_for_k[static_cast<std::size_t>(k - 1)], count) << "k=" << k;
      if (count == 1 && !smallest) smallest = k;
    }
    EXPECT_EQ(found.smallest_connecting_k, smallest);
    EXPECT_EQ(found.smallest_connecting_k, 20);  // each cluster has 20 points: the 20th neighbour is a foreign one
  }
}

// Chains of all lengths, dealt out so that neighbours are far apart: threads meet in every set.
TEST(Connectivity, AndComponentsDoNotDependOnThreads) {
  constexpr Index kPoints = 100'003;  // a prime: i -> 7919 i goes through all points
  NeighborGraph graph;
  DisjointSets sets(kPoints);
  for (Index i = 0; i < kPoints; ++i) {
    for (const Index step : {7919, 15838, 90001})
      if (i % 100 > step % 7) {
        graph.neighbors.push_back((i + step) % kPoints);
        graph.distances.push_back(static_cast<double>(step));
        sets.join(i, graph.neighbors.back());
      }
    graph.offsets.push_back(graph.edges());
  }
  const Components expected = numbered(sets, kPoints);
  const Connectivity growth = connectivity(graph);
  for (const int threads : {1, 2, 3, 8}) {
    EXPECT_EQ(connected_components(graph, {.threads = threads}), expected);
    EXPECT_EQ(connectivity(graph, {.threads = threads}).components_for_k, growth.components_for_k);
  }
  EXPECT_EQ(growth.components_for_k.back(), expected.count());
}

TEST(Connectivity, OfUnevenRowsAndOfNothing) {
  // 0 has 1 and 2; 3 has none
  const Connectivity found = connectivity({{0, 2, 2, 2, 2}, {1, 2}, {1, 2}});
  EXPECT_EQ(found.components_for_k, (std::vector<Index>{3, 2}));
  EXPECT_FALSE(found.smallest_connecting_k.has_value());
  EXPECT_TRUE(connectivity({}).components_for_k.empty());
}

TEST(Connectivity, GoesOnUntilAllPointsAreConnected) {
  const Array2<double> x = clusters(90, 3, 21);  // 30 points each: no fewer than 30 neighbours leave a cluster
  const NeighborOptions options{.n_neighbors = 4};
  const NeighborGraph nearest = neighbors(x, options).graph;
  ASSERT_FALSE(connectivity(nearest).smallest_connecting_k.has_value());
  const Connectivity found = connectivity(x, nearest, options);
  ASSERT_TRUE(found.smallest_connecting_k.has_value());
  const Index k = *found.smallest_connecting_k;
  EXPECT_GE(k, 30);
  EXPECT_EQ(connected_components(neighbors(x, {.n_neighbors = std::int64_t{k}}).graph).count(), 1);
  EXPECT_GT(connected_components(neighbors(x, {.n_neighbors = std::int64_t{k - 1}}).graph).count(), 1);
  const NeighborOptions ball{.radius = 1.0};
  EXPECT_FALSE(connectivity(x, neighbors(x, ball).graph, ball).smallest_connecting_k.has_value());
}

TEST(NearestForeign, AgreesWithTheDefinition) {
  const Array2<double> x = normal_matrix(50, 4, 3);
  std::vector<Index> group;
  for (Index i = 0; i < 50; ++i) group.push_back(i % 7 == 0 ? 0 : i % 3);
  const std::vector<Index> queries{0, 49, 13, 13};
  const auto found = nearest_of_other_groups(x, group, queries, {}, {});
  for (std::size_t q = 0; q < queries.size(); ++q) {
    Index best = -1;
    for (Index j = 0; j < 50; ++j)
      if (group[static_cast<std::size_t>(j)] != group[static_cast<std::size_t>(queries[q])] &&
          (best < 0 || distance(x, queries[q], j) < distance(x, queries[q], best)))
        best = j;
    EXPECT_EQ(found[q].index, best);
    EXPECT_NEAR(found[q].distance, distance(x, queries[q], best), 1e-14);
  }
  EXPECT_EQ(nearest_of_other_groups(x, std::vector<Index>(50, 5), {1}, {}, {})[0].index, -1);
}

TEST(ConnectingEdges, AreTheMinimumSpanningTree) {
  for (const Index count : {2, 3, 7, 30}) {
    const Array2<double> x = normal_matrix(90, 3, 11);
    Components components{{}, std::vector<Index>(static_cast<std::size_t>(count))};
    for (Index i = 0; i < 90; ++i) {
      components.labels.push_back(i % count);
      ++components.sizes[static_cast<std::size_t>(i % count)];
    }
    expect_same(connecting_edges(x, components), tree_by_definition(x, components));
  }
}

TEST(ConnectingEdges, TiesByIndexOnAGrid) {
  Array2<double> x(36, 2);
  Components singles;
  for (Index i = 0; i < 36; ++i) {
    const Index row = i / 6, column = i % 6;
    x(i, 0) = static_cast<double>(row);
    x(i, 1) = static_cast<double>(column);
    singles.labels.push_back(i);
    singles.sizes.push_back(1);
  }
  expect_same(connecting_edges(x, singles), tree_by_definition(x, singles));
}

TEST(ConnectingEdges, DoNotDependOnUnitsOrThreads) {
  const Array2<double> x = clusters(60, 5, 2);
  const Components components = connected_components(neighbors(x, {.n_neighbors = 4}).graph);
  ASSERT_GE(components.count(), 5);
  const auto edges = connecting_edges(x, components, {}, unroll::Run{.threads = 1});
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(connecting_edges(x, components, {}, unroll::Run{.threads = threads}), edges);
  for (const double unit : {0x1p990, 0x1p-990}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < scaled.size(); ++i) scaled.data()[i] *= unit;
    auto expected = edges;
    for (auto& edge : expected) edge.distance *= unit;
    EXPECT_EQ(connecting_edges(scaled, components), expected);
  }
}

TEST(ConnectingEdges, OfPrecomputedDistances) {
  const Array2<double> x = clusters(30, 3, 4);
  Array2<double> d(30, 30);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j) d(i, j) = distance(x, i, j);
  const Components components = connected_components(neighbors(x, {.n_neighbors = 5}).graph);
  expect_same(connecting_edges(d, components, {.metric = Metric::Precomputed}), connecting_edges(x, components));
}

TEST(ConnectingEdges, NothingToJoin) {
  const Array2<double> x = normal_matrix(10, 2, 1);
  EXPECT_TRUE(connecting_edges(x, {std::vector<Index>(10, 0), {10}}).empty());
  expect_error(ErrorKind::InvalidData, "labels of 3 points for 10 points", [&] {
    connecting_edges(x, {{0, 0, 1}, {2, 1}});
  });
}

TEST(Connect, MakesOneComponent) {
  const Array2<double> x = clusters(60, 4, 9);
  const NeighborGraph graph = neighbors(x, {.n_neighbors = 3}).graph;
  const Components components = connected_components(graph);
  ASSERT_GE(components.count(), 4);
  const auto edges = connecting_edges(x, components);
  const NeighborGraph connected = connect(graph, edges);
  EXPECT_EQ(connected_components(connected).count(), 1);
  EXPECT_EQ(connected, symmetrized(connected, Symmetrization::Mutual));
  const Index joined = 2 * static_cast<Index>(edges.size());
  EXPECT_EQ(connected.edges(), symmetrized(graph, Symmetrization::Union).edges() + joined);
  EXPECT_EQ(connect(connected, edges), connected);
}

}  // namespace
}  // namespace unroll
