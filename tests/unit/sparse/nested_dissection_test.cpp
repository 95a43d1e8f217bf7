#include "sparse/nested_dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "sparse/elimination.h"
#include "sparse/fill_order.h"
#include "sparse/level_separator.h"
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

TEST(LevelSeparator, Separates) {
  for (const Graph& graph : {path_graph(2), star_graph(500), complete_graph(300), copies(grid_graph(9, 9), 11),
                             bipartite_graph(30, 3000), random_graph(700, 0.02, 1), lattice(10), path_graph(1)}) {
    const SeparatorGraph all = separable(graph);
    expect_separates(all, separate_by_levels(all));
  }
}

// Levels from the corner of a grid are its diagonals; refined, no more than a column is left of one.
TEST(LevelSeparator, IsSmallAndInTheMiddle) {
  const SeparatorGraph graph = separable(grid_graph(200, 60));
  const Separation cut = separate_by_levels(graph);
  EXPECT_LE(cut.separator(), 60);
  EXPECT_LE(cut.larger_half(), 0.55 * 200 * 60);
}

TEST(FillOrder, LargeMatricesAreOrderedByHalves) {
  const SparseMatrix a = laplacian(grid_graph(500, 220), false);  // 110 000 unknowns
  const auto order = fill_reducing_order(a, {.threads = 1});
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index i = 0; i < a.rows; ++i) ASSERT_EQ(sorted[at(i)], i);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(fill_reducing_order(a, {.threads = threads}), order) << threads;
  // The unknowns that come last separate halves.
  std::vector<std::int32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<std::int32_t>(k);
  const SeparatorGraph graph = separable(grid_graph(500, 220));
  const Separation cut = separate_by_levels(graph);
  const std::int32_t first = cut.weights[0], second = first + cut.weights[1];
  for (Index i = 0; i < a.rows; ++i) {
    const signed char where = cut.where[at(i)];
    const std::int32_t k = place[at(i)];
    ASSERT_EQ(where, k < first ? 0 : k < second ? 1 : Separation::kSeparator) << i;
  }
  // It costs no more than an order of all at once.
  const double flops = plan_elimination(a, order, {}).flops;
  const double at_once = plan_elimination(a, minimum_degree_order(graph.offsets, graph.neighbors), {}).flops;
  EXPECT_LT(flops, 1.25 * at_once);
}

// A star has no halves, and of a random graph the separator would be large.
TEST(FillOrder, LargeMatricesWithoutASmallSeparatorAreOrderedAtOnce) {
  Graph shuffled = path_graph(120'000);
  for (Index i = 0; i < shuffled.size; ++i) {
    const double draw = Random(3, "ends").uniform(static_cast<std::uint64_t>(i));
    const auto j = static_cast<Index>(draw * static_cast<double>(shuffled.size));
    if (std::abs(i - j) > 1) shuffled.edges.push_back({std::min(i, j), std::max(i, j)});
  }
  std::sort(shuffled.edges.begin(), shuffled.edges.end(),
            [](const Edge& x, const Edge& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  for (const Graph& graph : {star_graph(120'000), shuffled}) {
    const SeparatorGraph all = separable(graph);
    EXPECT_EQ(fill_reducing_order(laplacian(graph, false), {}), minimum_degree_order(all.offsets, all.neighbors));
  }
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
