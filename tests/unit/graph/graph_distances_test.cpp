#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/weighted_graphs.h"
#include "unroll/methods/diffusion_maps.h"

namespace unroll {
namespace {

/// The definition: rows of powers of D^-1 W, compared under 1 / pi.
std::vector<double> by_definition(Array2<double> w, Index source, int steps) {
  const Index n = w.rows();
  std::vector<double> degree(static_cast<std::size_t>(n));
  double volume = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) degree[static_cast<std::size_t>(i)] += w(i, j), volume += w(i, j);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) w(i, j) /= degree[static_cast<std::size_t>(i)];
  Array2<double> p(n, n);
  for (Index i = 0; i < n; ++i) p(i, i) = 1;
  for (int step = 0; step < steps; ++step) {
    Array2<double> next(n, n);
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        if (w(k, j) != 0)
          for (Index i = 0; i < n; ++i) next(i, j) += p(i, k) * w(k, j);
    p = std::move(next);
  }
  std::vector<double> distances;
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index z = 0; z < n; ++z)
      sum += std::pow(p(i, z) - p(source, z), 2) * volume / degree[static_cast<std::size_t>(z)];
    distances.push_back(std::sqrt(sum));
  }
  return distances;
}

TEST(DiffusionDistance, IsThatOfTheDefinition) {
  const Graph g = random_graph(40, 0.1, 2);
  for (const bool sparse : {true, false})
    for (const int steps : {0, 1, 2, 5, 150}) {  // the last takes more operations step by step
      const std::vector<double> expected = by_definition(weights_of(g), 11, steps);
      const DiffusionDistances found = diffusion_distances(given(g, sparse), 11, steps, 0);
      ASSERT_EQ(found.values.size(), expected.size());
      EXPECT_TRUE(found.warnings.empty());
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.values[i], expected[i], 1e-11) << steps;
    }
}

TEST(DiffusionDistance, IsTheEuclideanOneOfAllDiffusionCoordinates) {
  const Array2<double> points = normal_matrix(40, 3, 9);
  for (const GraphKind kind : {GraphKind::Neighbors, GraphKind::Full})
    for (const double alpha : {0.0, 1.0})
      for (const double t : {1.0, 3.0, 400.0, 0.5}) {
        const Model model = diffusion_maps(
            points, {.n_components = 39, .graph = kind, .alpha = alpha, .t = t, .components = ComponentsPolicy::Error});
        const Array2<double>& y = model.coordinates();
        const WeightedGraph graph = weighted_graph(points, {.graph = kind, .loops = true});
        const DiffusionDistances found = diffusion_distances(graph, 12, t, alpha);
        for (Index i = 0; i < 40; ++i) {
          double sum = 0;
          for (Index k = 0; k < y.cols(); ++k) sum += (y(i, k) - y(12, k)) * (y(i, k) - y(12, k));
          EXPECT_NEAR(found.values[static_cast<std::size_t>(i)], std::sqrt(sum), 1e-8) << t << " " << alpha;
        }
      }
}

TEST(DiffusionDistance, FractionalTimesOfNegativeEigenvaluesAreSaid) {
  const DiffusionDistances found = diffusion_distances(given(cycle_graph(8)), 0, 1.5);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "negative-eigenvalues");
}

TEST(DiffusionDistance, TheUnitOfTheWeightsDoesNotMatter) {
  const Graph g = random_graph(40, 0.1, 2);
  for (const double alpha : {0.0, 0.5, 1.0})
    for (const double t : {0.0, 1.0, 3.0, 200.0}) {
      const std::vector<double> expected = diffusion_distances(given(g), 11, t, alpha).values;
      for (const double scale : {1e-307, 1e-160, 1e160, 1e304}) {
        Graph scaled = g;
        for (Edge& edge : scaled.edges) edge.weight *= scale;
        for (const bool sparse : {true, false}) {
          const std::vector<double> found = diffusion_distances(given(scaled, sparse), 11, t, alpha).values;
          for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], expected[i], 1e-11) << scale << " " << t;
        }
      }
    }
}

TEST(DiffusionDistance, OfWalksThatStayNear) {  // they see a few of 400 points, and are taken point by point
  const Graph g = cycle_graph(400);
  for (const int steps : {1, 2, 7, 30}) {
    const std::vector<double> expected = by_definition(weights_of(g), 11, steps);
    const std::vector<double> found = diffusion_distances(given(g), 11, steps, 0, {.threads = 1}).values;
    for (std::size_t i = 0; i < 400; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << steps;
    EXPECT_EQ(diffusion_distances(given(g), 11, steps, 0, {.threads = 3}).values, found);
  }
}

TEST(PathLengths, OfTextbookGraphs) {
  const std::vector<double> path = path_lengths(given(path_graph(20)), 4);
  const std::vector<double> cycle = path_lengths(given(cycle_graph(20), false), 4);
  const std::vector<double> cube = path_lengths(given(cube_graph(4)), 5);
  for (Index i = 0; i < 20; ++i) {
    EXPECT_EQ(path[static_cast<std::size_t>(i)], static_cast<double>(std::abs(i - 4)));
    EXPECT_EQ(cycle[static_cast<std::size_t>(i)], static_cast<double>(std::min((i + 16) % 20, (24 - i) % 20)));
  }
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(cube[i], std::popcount(i ^ 5U));
}

TEST(PathLengths, AreThoseOfTheEdgesOfPoints) {
  Array2<double> line(30, 2);
  for (Index i = 0; i < 30; ++i) line(i, 0) = 0.1 * static_cast<double>(i * i);
  const WeightedGraph graph = weighted_graph(line, {.n_neighbors = 2});
  const std::vector<double> lengths = path_lengths(graph, 29);
  const std::vector<double> straight = euclidean_distances(line, 29);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(lengths[i], straight[i], 1e-12);
}

TEST(EuclideanDistances, HaveNoOverflow) {
  Array2<double> points(3, 2);
  points(1, 0) = 3e300, points(1, 1) = 4e300;
  points(2, 0) = 3e-300, points(2, 1) = 4e-300;
  const std::vector<double> found = euclidean_distances(points, 0);
  EXPECT_NEAR(found[1] / 5e300, 1, 1e-14);
  EXPECT_NEAR(found[2] / 5e-300, 1, 1e-14);
  EXPECT_EQ(found[0], 0);
}

TEST(Distances, Errors) {
  const WeightedGraph apart = given(copies(path_graph(3), 2));
  expect_error(ErrorKind::Disconnected, "no path leads from point 1 (from 0) to 3 of the 6",
               [&] { path_lengths(apart, 1); });
  expect_error(ErrorKind::InvalidOption, "points are 0 to 5", [&] { path_lengths(apart, 6); });
  expect_error(ErrorKind::InvalidOption, "points are 0 to 5", [&] { diffusion_distances(apart, -1); });
  expect_error(ErrorKind::InvalidOption, "alpha=2", [&] { diffusion_distances(apart, 0, 1, 2); });
  const Array2<double> points = normal_matrix(20, 2, 1);
  expect_error(ErrorKind::Unsupported, "graph=full",
               [&] { path_lengths(weighted_graph(points, {.graph = GraphKind::Full}), 0); });
  Graph lonely = path_graph(3);
  lonely.size = 4;
  expect_error_of_row(ErrorKind::InvalidData, 3, "row 4 has no edges", [&] { diffusion_distances(given(lonely), 0); });
  expect_error(ErrorKind::InvalidData, "give it weights, or leave its row and column out",
               [&] { diffusion_distances(given(lonely), 0); });
  const WeightedGraph many = weighted_graph(normal_matrix(5001, 1, 1), {.n_neighbors = 2, .loops = true});
  expect_error(ErrorKind::InvalidOption, "use a whole t up to", [&] { diffusion_distances(many, 0, 1.5); });
  expect_error(ErrorKind::InvalidOption, "use a whole t up to", [&] { diffusion_distances(many, 0, 1e9); });
}

TEST(WeightedGraph, OptionsAndCounts) {
  const Array2<double> points = normal_matrix(50, 2, 1);
  const WeightedGraph graph = weighted_graph(points, {.weights = EdgeWeights::Binary});
  double sum = 0;
  for (const double degree : graph.degrees()) sum += degree;
  EXPECT_DOUBLE_EQ(graph.volume(), sum);
  EXPECT_NEAR(graph.volume(), 2 * static_cast<double>(graph.edges()), 1e-9);
  EXPECT_EQ(graph.size(), 50);
  EXPECT_TRUE(graph.has_lengths());
  expect_error(ErrorKind::InvalidOption, "n_neighbors=50", [&] { weighted_graph(points, {.n_neighbors = 50}); });
  expect_error(ErrorKind::InvalidOption, "scale=standardize", [&] {
    weighted_graph(weights_of(path_graph(4)), {.weights = EdgeWeights::Precomputed, .scale = Scaling::Standardize});
  });
}

}  // namespace
}  // namespace unroll
