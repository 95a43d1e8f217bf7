#include "unroll/neighbors/neighbor_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

using Edges = std::map<std::pair<Index, Index>, double>;

Edges edges_of(const NeighborGraph& graph) {
  Edges edges;
  for (Index i = 0; i < graph.size(); ++i)
    for (std::size_t r = 0; r < graph.neighbors_of(i).size(); ++r)
      edges[{i, graph.neighbors_of(i)[r]}] = graph.distances_of(i)[r];
  return edges;
}

void expect_well_formed(const NeighborGraph& graph) {
  ASSERT_EQ(graph.distances.size(), graph.neighbors.size());
  ASSERT_EQ(graph.offsets.back(), graph.edges());
  for (Index i = 0; i < graph.size(); ++i) {
    const auto neighbors = graph.neighbors_of(i);
    const auto distances = graph.distances_of(i);
    EXPECT_EQ(std::set<Index>(neighbors.begin(), neighbors.end()).size(), neighbors.size()) << "row " << i;
    for (std::size_t r = 0; r < neighbors.size(); ++r) {
      EXPECT_NE(neighbors[r], i);
      if (r == 0) continue;
      EXPECT_LT(std::pair(distances[r - 1], neighbors[r - 1]), std::pair(distances[r], neighbors[r]));
    }
  }
}

NeighborGraph nearest(Index n, Index k, std::uint64_t seed) {
  const NeighborOptions options{.n_neighbors = k};
  return neighbors(normal_matrix(n, 3, seed), options).graph;
}

// 0 -> 1, 2; 1 -> 0; 2 -> 1; 3 -> none
NeighborGraph small() { return {{0, 2, 3, 4, 4}, {1, 2, 0, 1}, {1, 3, 1, 2}}; }

TEST(Symmetrized, OfASmallGraph) {
  EXPECT_EQ(symmetrized(small(), Symmetrization::None), small());
  const NeighborGraph united{{0, 2, 4, 6, 6}, {1, 2, 0, 2, 1, 0}, {1, 3, 1, 2, 2, 3}};
  EXPECT_EQ(symmetrized(small(), Symmetrization::Union), united);
  EXPECT_EQ(symmetrized(small(), Symmetrization::Average), united);
  EXPECT_EQ(symmetrized(small(), Symmetrization::Mutual), (NeighborGraph{{0, 1, 2, 2, 2}, {1, 0}, {1, 1}}));
  EXPECT_EQ(symmetric_weights(small(), united), (std::vector<double>{1, 0.5, 1, 0.5, 0.5, 0.5}));
}

TEST(Symmetrized, AgreesWithTheDefinition) {
  for (const Index k : {1, 4, 15}) {
    const NeighborGraph graph = nearest(120, k, 5);
    const Edges directed = edges_of(graph);
    const NeighborGraph united = symmetrized(graph, Symmetrization::Union);
    const NeighborGraph mutual = symmetrized(graph, Symmetrization::Mutual);
    expect_well_formed(united);
    expect_well_formed(mutual);
    Edges expected_union, expected_mutual;
    for (const auto& [ends, length] : directed) {
      const std::pair turned(ends.second, ends.first);
      expected_union[ends] = expected_union[turned] = length;
      if (directed.count(turned) > 0) expected_mutual[ends] = length;
    }
    EXPECT_EQ(edges_of(united), expected_union);
    EXPECT_EQ(edges_of(mutual), expected_mutual);
    const std::vector<double> weights = symmetric_weights(graph, united);
    std::size_t e = 0;
    for (Index i = 0; i < united.size(); ++i)
      for (const Index j : united.neighbors_of(i)) EXPECT_EQ(weights[e++], expected_mutual.count({i, j}) > 0 ? 1 : 0.5);
    EXPECT_EQ(symmetrized(united, Symmetrization::Union), united);
    EXPECT_EQ(symmetrized(united, Symmetrization::Mutual), united);
  }
}

TEST(Symmetrized, TakesTheShorterOfTwoLengths) {
  const NeighborGraph uneven{{0, 2, 3, 3}, {2, 1, 0}, {1, 4, 0.5}};
  const NeighborGraph expected{{0, 2, 3, 4}, {1, 2, 0, 0}, {0.5, 1, 0.5, 1}};
  EXPECT_EQ(symmetrized(uneven, Symmetrization::Union), expected);
}

TEST(Symmetrized, TiesAreInOrderOfTheIndex) {
  // Points 1, 2, 3 all have point 0 alone, at the same distance; point 0 has point 2.
  const NeighborGraph star{{0, 1, 2, 3, 4}, {2, 0, 0, 0}, {1, 1, 1, 1}};
  EXPECT_EQ(symmetrized(star, Symmetrization::Union),
            (NeighborGraph{{0, 3, 4, 5, 6}, {1, 2, 3, 0, 0, 0}, {1, 1, 1, 1, 1, 1}}));
}

TEST(Symmetrized, OfNothing) {
  EXPECT_EQ(symmetrized({}, Symmetrization::Union), NeighborGraph{});
  const NeighborGraph no_edges{{0, 0, 0}, {}, {}};
  EXPECT_EQ(symmetrized(no_edges, Symmetrization::Union), no_edges);
}

TEST(ToSparse, SortsColumnsAndKeepsZeros) {
  const NeighborGraph graph{{0, 2, 3, 3}, {2, 1, 0}, {0, 4, 4}};
  const SparseMatrix sparse = to_sparse(graph);
  EXPECT_EQ(sparse.rows, 3);
  EXPECT_EQ(sparse.cols, 3);
  EXPECT_EQ(sparse.offsets, graph.offsets);
  EXPECT_EQ(sparse.columns, (std::vector<Index>{1, 2, 0}));
  EXPECT_EQ(sparse.values, (std::vector<double>{4, 0, 4}));
}

}  // namespace
}  // namespace unroll
