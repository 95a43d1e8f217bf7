// Edges that leave the surface, on data whose true distances along it are known.
#include "neighbors/short_circuits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "neighbors/pair_distance.h"
#include "support/matrices.h"
#include "unroll/data/generators.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

double row_distance(const Array2<double>& x, Index i, Index j) {
  double squares = 0;
  for (Index k = 0; k < x.cols(); ++k) squares += (x(i, k) - x(j, k)) * (x(i, k) - x(j, k));
  return std::sqrt(squares);
}

NeighborGraph union_graph(const Array2<double>& points, Index k) {
  return symmetrized(neighbors(points, {.n_neighbors = k}).graph, Symmetrization::Union);
}

ShortCircuits found_in(const Array2<double>& points, const NeighborGraph& graph, const unroll::Run& run = {}) {
  return find_short_circuits(
      graph, [&](Index i, Index j) { return row_distance(points, i, j); }, run);
}

/// Whether the way along the sheet is much longer than the edge.
bool is_short_cut(const Dataset& data, Index i, Index j) {
  return row_distance(data.truth, i, j) > 3 * row_distance(data.points, i, j);
}

Index true_short_cuts(const Dataset& data, const NeighborGraph& graph) {
  Index count = 0;
  for (Index i = 0; i < graph.size(); ++i)
    for (const Index j : graph.neighbors_of(i)) count += i < j && is_short_cut(data, i, j) ? 1 : 0;
  return count;
}

TEST(ShortCircuits, OfARollAreTheTrueOnes) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const Index k : {10, 15, 20, 30, 60}) {
      const Dataset roll = make_dataset("swiss_roll", 1000, seed);
      const NeighborGraph graph = union_graph(roll.points, k);
      const ShortCircuits found = found_in(roll.points, graph);
      const Index all = true_short_cuts(roll, graph);
      EXPECT_EQ(found.edges > 0, all > 0) << seed << " k=" << k << ", true: " << all;
      EXPECT_LE(found.edges, all) << seed << " k=" << k;
      EXPECT_TRUE(found.edges == 0 || is_short_cut(roll, found.first, found.second)) << seed << " k=" << k;
      EXPECT_TRUE(k < 60 || found.edges > all / 2) << seed;
    }
}

TEST(ShortCircuits, OfOtherSurfacesThereAreNone) {
  for (const char* name : {"s_curve", "torus", "twin_peaks", "mobius_strip", "punctured_sphere", "roll_clusters",
                           "moons", "circles", "helix", "trefoil"})
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      for (const Index k : {10, 15}) {
        const Array2<double> points = make_dataset(name, 1000, seed).points;
        EXPECT_EQ(found_in(points, union_graph(points, k)).edges, 0) << name << ' ' << seed << " k=" << k;
      }
}

TEST(ShortCircuits, OfPointsWithoutASurfaceThereAreNone) {
  for (const Index d : {1, 2, 3, 5, 10, 20})
    for (const Index k : {10, 30}) {
      const Array2<double> points = normal_matrix(800, d, 7);
      EXPECT_EQ(found_in(points, union_graph(points, k)).edges, 0) << d << " k=" << k;
    }
}

// The windings of a spring of 400 points are nearer to each other than twenty neighbours along the wire.
TEST(ShortCircuits, BetweenTheWindingsOfASpring) {
  const Array2<double> spring = make_dataset("helix", 400, 1).points;
  EXPECT_GT(found_in(spring, union_graph(spring, 20)).edges, 100);
}

/// The nearest two points of different turns.
std::pair<Index, Index> ends_of_bridge(const Dataset& roll) {
  std::pair<Index, Index> ends;
  double shortest = std::numeric_limits<double>::max();
  for (Index i = 0; i < roll.points.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (const double length = row_distance(roll.points, i, j);
          length < shortest && row_distance(roll.truth, i, j) > 20)
        shortest = length, ends = {j, i};
  return ends;
}

// A single edge between two turns, as a graph from elsewhere may have it.
TEST(ShortCircuits, OneBridge) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset roll = make_dataset("swiss_roll", 1000, seed);
    NeighborGraph nearest = neighbors(roll.points, {.n_neighbors = 10}).graph;
    ASSERT_EQ(found_in(roll.points, symmetrized(nearest, Symmetrization::Union)).edges, 0);
    const auto [from, to] = ends_of_bridge(roll);
    const auto place = nearest.offsets[static_cast<std::size_t>(from) + 1];
    nearest.neighbors.insert(nearest.neighbors.begin() + place, to);
    nearest.distances.insert(nearest.distances.begin() + place, row_distance(roll.points, from, to));
    for (std::size_t i = static_cast<std::size_t>(from) + 1; i < nearest.offsets.size(); ++i) ++nearest.offsets[i];
    const ShortCircuits found = found_in(roll.points, symmetrized(nearest, Symmetrization::Union));
    EXPECT_EQ(found.edges, 1) << seed;
    EXPECT_EQ(std::minmax(found.first, found.second), std::minmax(from, to)) << seed;
  }
}

// A ring with a gap: the way around is long, but the edges over the gap continue the ring.
TEST(ShortCircuits, AGapIsNone) {
  Array2<double> ring(300, 2);
  for (Index i = 0; i < 300; ++i) {
    const double angle = 6.0 * static_cast<double>(i) / 300;
    ring(i, 0) = std::cos(angle), ring(i, 1) = std::sin(angle);
  }
  const NeighborGraph graph = union_graph(ring, 20);
  const auto last = graph.neighbors_of(299);
  ASSERT_TRUE(std::find(last.begin(), last.end(), 0) != last.end());
  EXPECT_EQ(found_in(ring, graph).edges, 0);
}

TEST(ShortCircuits, ThreadsAndTheOrderOfPointsChangeNothing) {
  const Dataset roll = make_dataset("swiss_roll", 1000, 2);
  const Index expected = found_in(roll.points, union_graph(roll.points, 60), {.threads = 1}).edges;
  EXPECT_GT(expected, 0);
  EXPECT_EQ(found_in(roll.points, union_graph(roll.points, 60), {.threads = 3}).edges, expected);
  Array2<double> turned = roll.points;
  for (Index i = 0; i < 1000; ++i) std::copy_n(roll.points.row(999 - i), 3, turned.row(i));
  EXPECT_EQ(found_in(turned, union_graph(turned, 60)).edges, expected);
}

TEST(ShortCircuits, OfSmallAndDegenerateGraphs) {
  for (const Index n : {2, 9, 10, 20}) {
    const Array2<double> same(n, 2);
    EXPECT_EQ(found_in(same, union_graph(same, n - 1)).edges, 0) << n;
  }
}

}  // namespace
}  // namespace unroll
