#include "sparse/nested_dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "sparse/elimination.h"
#include "sparse/fill_order.h"
#include "sparse/sparse_cholesky.h"
#include "sparse/vertex_separator.h"
#include "support/expect_error.h"
#include "support/graphs.h"

namespace unroll {
namespace {

/// The points of a cube with the neighbors that touch their cell, corners included.
Graph lattice(Index side) {
  Graph graph{side * side * side};
  for (Index i = 0; i < graph.size; ++i)
    for (Index j = i + 1; j < std::min(graph.size, i + side * side + side + 2); ++j) {
      const Index dx = j % side - i % side, dy = j / side % side - i / side % side;
      if (std::abs(dx) <= 1 && std::abs(dy) <= 1 && j / side / side - i / side / side <= 1)
        graph.edges.push_back({i, j});
    }
  return graph;
}

SeparatorGraph separable(const Graph& graph) {
  SeparatorGraph result;
  result.weights.assign(static_cast<std::size_t>(graph.size), 1);
  result.total = static_cast<std::int32_t>(graph.size);
  const SparseMatrix a = laplacian(graph, false);
  for (Index i = 0; i < a.rows; ++i) {
    for (Index e = a.offsets[at(i)]; e < a.offsets[at(i) + 1]; ++e)
      if (a.columns[at(e)] != i) result.neighbors.push_back(static_cast<std::int32_t>(a.columns[at(e)]));
    result.offsets.push_back(std::ssize(result.neighbors));
  }
  result.edge_weights.assign(result.neighbors.size(), 1);
  return result;
}

void expect_separates(const SeparatorGraph& graph, const Separation& cut) {
  std::int32_t weights[3] = {0, 0, 0};
  for (std::int32_t v = 0; v < graph.size(); ++v) {
    const auto where = cut.where[at(v)];
    weights[where] += graph.weights[at(v)];
    if (where == Separation::kSeparator) continue;
    for (const auto u : graph.around(v)) EXPECT_NE(cut.where[at(u)], 1 - where) << v << " " << u;
  }
  EXPECT_TRUE(std::equal(weights, weights + 3, cut.weights));
}

TEST(NestedDissection, IsAnOrderOfGraphsOfEveryShape) {
  for (const Graph& graph : {path_graph(1), path_graph(2), path_graph(5000), cycle_graph(3000), star_graph(2000),
                             complete_graph(400), bipartite_graph(30, 3000), copies(grid_graph(20, 20), 7),
                             copies(path_graph(1), 1000), random_graph(700, 0.05, 1), lattice(12)}) {
    auto order = nested_dissection_order(laplacian(graph, false), {});
    std::sort(order.begin(), order.end());
    ASSERT_EQ(std::ssize(order), graph.size);
    for (Index i = 0; i < graph.size; ++i) ASSERT_EQ(order[at(i)], i) << graph.size;
  }
  EXPECT_TRUE(nested_dissection_order({}, {}).empty());
}

TEST(NestedDissection, TheSeparatorSeparates) {
  for (const Graph& graph : {path_graph(2), star_graph(500), complete_graph(300), copies(grid_graph(9, 9), 11),
                             bipartite_graph(30, 3000), random_graph(700, 0.02, 1), lattice(10)}) {
    const SeparatorGraph all = separable(graph);
    expect_separates(all, find_separator(all, {}));
  }
}

// A plane of a lattice is the best there is.
TEST(NestedDissection, TheSeparatorIsSmallAndTheHalvesAreBalanced) {
  const SeparatorGraph graph = separable(lattice(20));
  const Separation cut = find_separator(graph, {});
  EXPECT_LE(cut.separator(), 1.6 * 400);
  EXPECT_LE(cut.larger_half(), Separation::allowed_half(graph));
}

TEST(NestedDissection, SameOrderAtAnyThreadCount) {
  const SparseMatrix a = laplacian(lattice(15), false);
  const auto expected = nested_dissection_order(a, {.threads = 1});
  for (const int threads : {2, 3, 8}) EXPECT_EQ(nested_dissection_order(a, {.threads = threads}), expected) << threads;
}

TEST(NestedDissection, IsChosenInThreeDimensionsAndNotOnSurfaces) {
  const SparseMatrix cube = laplacian(lattice(30), false), surface = laplacian(grid_graph(200, 200), false);
  const auto flops = [](const SparseMatrix& a, const auto& order) { return plan_elimination(a, order, {}).flops; };
  const double by_degree = flops(cube, fill_reducing_order(cube, {}));
  EXPECT_LT(SparseCholesky(cube, 1, {}).flops(), 0.7 * by_degree);
  EXPECT_EQ(SparseCholesky(cube, 1, {}).flops(), flops(cube, nested_dissection_order(cube, {})));
  EXPECT_EQ(SparseCholesky(surface, 1, {}).flops(), flops(surface, fill_reducing_order(surface, {})));
}

TEST(NestedDissection, CanBeCancelled) {
  const std::atomic<bool> cancel = true;
  const SparseMatrix a = laplacian(lattice(12), false);
  expect_error(ErrorKind::Cancelled, "", [&] { nested_dissection_order(a, {.threads = 1, .cancel = &cancel}); });
}

}  // namespace
}  // namespace unroll
