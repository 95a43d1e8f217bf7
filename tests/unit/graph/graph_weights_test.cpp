// What the edges of a graph weigh, seen through the degrees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/distances.h"
#include "support/matrices.h"
#include "unroll/graph/weighted_graph.h"

namespace unroll {
namespace {

/// Three points one apart, and three more at a distance of 98.
Array2<double> two_triples() {
  Array2<double> x(6, 1);
  for (Index i = 0; i < 6; ++i) x(i, 0) = static_cast<double>(i < 3 ? i : 97 + i);
  return x;
}

double joint_degree(WeightedGraphOptions options) {
  options.n_neighbors = 1;
  options.components = ComponentsPolicy::Connect;
  return weighted_graph(two_triples(), options).degrees()[2];
}

/// An edge that joins two components weighs at least what an edge of length sigma does, exp(-1/2): its own weight would
/// leave them apart.
TEST(GraphWeights, OfJoiningEdgesAreThoseOfAnEdgeOfLengthSigma) {
  const double usual = std::exp(-0.5);
  EXPECT_NEAR(joint_degree({.sigma = 1.0}), usual + usual, 1e-15);
  const double wide = 1e4;
  EXPECT_NEAR(joint_degree({.sigma = wide}), std::exp(-0.5 / wide / wide) + std::exp(-0.5 * 98 * 98 / wide / wide),
              1e-15);
  EXPECT_NEAR(joint_degree({.bandwidth = Bandwidth::SelfTuning}), std::exp(-1) + usual, 1e-15);
  EXPECT_EQ(joint_degree({.weights = EdgeWeights::Binary}), 2);
}

/// exp(-d^2 / (s_i s_j)), where s is the distance to the 7th nearest point (Zelnik-Manor & Perona 2004), among all
/// pairs as among neighbours.
TEST(GraphWeights, SelfTuningTakesTheSeventhNeighbor) {
  const Array2<double> x = normal_matrix(60, 3, 1), d = distances_between(x);
  std::vector<double> width;
  for (Index i = 0; i < 60; ++i) {
    std::vector<double> row(d.row(i), d.row(i) + 60);
    std::sort(row.begin(), row.end());
    width.push_back(row[7]);  // the first is the point itself
  }
  const auto expect_degrees = [&](const WeightedGraph& graph) {
    for (std::size_t i = 0; i < 60; ++i) {
      double degree = 0;
      for (std::size_t j = 0; j < 60; ++j) {
        const double length = d(static_cast<Index>(i), static_cast<Index>(j));
        if (i != j) degree += std::exp(-length * length / (width[i] * width[j]));
      }
      EXPECT_NEAR(graph.degrees()[i] / degree, 1, 1e-12);
    }
  };
  expect_degrees(weighted_graph(x, {.graph = GraphKind::Full, .bandwidth = Bandwidth::SelfTuning}));
  expect_degrees(weighted_graph(x, {.n_neighbors = 59, .bandwidth = Bandwidth::SelfTuning}));
}

}  // namespace
}  // namespace unroll
