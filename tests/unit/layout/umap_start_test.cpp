#include "layout/umap_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "affinity/fuzzy_set.h"
#include "support/matrices.h"
#include "support/strips.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

SparseMatrix fuzzy_graph_of(const Array2<double>& x) {
  return fuzzy_set(neighbors(x, {.n_neighbors = 6}).graph, {}, {});
}

TEST(UmapStart, ComponentsHaveBoxesOfTheirOwn) {
  Array2<double> x = normal_matrix(120, 3, 1);
  for (Index i = 0; i < 40; ++i) x(i, 0) += 1000;
  const SparseMatrix graph = fuzzy_graph_of(x);
  const Components components = graph_components(graph);
  ASSERT_EQ(components.count(), 2);
  const Array2<double> y = umap_spectral_start(graph, components, std::nullopt, 2, 0, {}).coordinates;
  const auto range = [&](Index component, Index column) {
    std::pair<double, double> found{HUGE_VAL, -HUGE_VAL};
    for (Index i = 0; i < 120; ++i)
      if (components.labels[static_cast<std::size_t>(i)] == component)
        found = {std::min(found.first, y(i, column)), std::max(found.second, y(i, column))};
    return found;
  };
  const auto apart = [&](Index column) {
    return range(0, column).second < range(1, column).first || range(1, column).second < range(0, column).first;
  };
  EXPECT_TRUE(apart(0) || apart(1));
}

TEST(UmapStart, ColumnsGoFromZeroToTen) {
  Array2<double> map = normal_matrix(50, 3, 1);
  for (Index i = 0; i < 50; ++i) map(i, 1) *= 1e307, map(i, 2) = 7;
  scale_umap_start(map, 0);
  for (Index k = 0; k < 2; ++k) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (Index i = 0; i < 50; ++i) low = std::min(low, map(i, k)), high = std::max(high, map(i, k));
    EXPECT_NEAR(low, 0, 1e-3);
    EXPECT_NEAR(high, 10, 1e-3);
  }
  for (Index i = 0; i < 50; ++i) EXPECT_NEAR(map(i, 2), 5, 1e-3);
}

/// All eigenvectors of a long strip but the first are functions of it for a while. The start is a band all the same,
/// and one side of the strip is on one side of it.
TEST(UmapStart, ALongStripIsNoCurve) {
  const Array2<double> x = random_strip(3000, 5, 1);
  const SparseMatrix graph = fuzzy_graph_of(x);
  const Components components = graph_components(graph);
  ASSERT_EQ(components.count(), 1);
  const Array2<double> y = umap_spectral_start(graph, components, std::nullopt, 2, 0, {}).coordinates;
  EXPECT_GT(share_told(y, x, 1), 0.7);
}

/// All eigenvectors of a curve are functions of the first: the start is what it would be without a choice.
TEST(UmapStart, ACurveKeepsItsEigenvectors) {
  Array2<double> x(600, 1);
  for (Index i = 0; i < 600; ++i) x(i, 0) = static_cast<double>(i) + 0.3 * std::sin(static_cast<double>(i));
  const SparseMatrix graph = fuzzy_graph_of(x);
  const Array2<double> y = umap_spectral_start(graph, graph_components(graph), std::nullopt, 2, 0, {}).coordinates;
  EXPECT_GT(correlation(spectral_start(graph, 2, 0, {}).coordinates, 1, y, 1), 1 - 1e-9);
}

TEST(UmapStart, PointsWithoutEdgesHavePlaces) {
  const SparseMatrix none{.rows = 5, .cols = 5, .offsets = {0, 0, 0, 0, 0, 0}};
  Array2<double> y = umap_spectral_start(none, graph_components(none), std::nullopt, 2, 0, {}).coordinates;
  scale_umap_start(y, 0);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < i; ++j) EXPECT_GT(std::hypot(y(i, 0) - y(j, 0), y(i, 1) - y(j, 1)), 1);
}

}  // namespace
}  // namespace unroll
