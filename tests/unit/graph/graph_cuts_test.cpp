#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/weighted_graphs.h"
#include "unroll/methods/laplacian_eigenmaps.h"

namespace unroll {
namespace {

constexpr double kPi = std::numbers::pi;

/// Largest difference of `vector` from the formula, both scaled to a largest entry of 1 and the same sign.
template <class Formula>
double shape_error(const std::vector<double>& vector, Formula&& formula) {
  double largest = 0, dot = 0, peak = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const double expected = formula(static_cast<double>(i));
    largest = std::max(largest, std::abs(vector[i]));
    peak = std::max(peak, std::abs(expected));
    dot += vector[i] * expected;
  }
  double error = 0;
  for (std::size_t i = 0; i < vector.size(); ++i)
    error =
        std::max(error, std::abs(vector[i] / largest - std::copysign(1, dot) * formula(static_cast<double>(i)) / peak));
  return error;
}

TEST(Fiedler, OfAPathIsACosine) {
  for (const bool sparse : {true, false}) {
    const WeightedGraph graph = given(path_graph(40), sparse);
    const Fiedler plain = fiedler_vector(graph, Laplacian::Unnormalized);
    EXPECT_NEAR(plain.lambda2, 2 - 2 * std::cos(kPi / 40), 1e-12);
    EXPECT_LT(shape_error(plain.vector, [](double i) { return std::cos(kPi * (i + 0.5) / 40); }), 1e-8);
    const Fiedler walk = fiedler_vector(graph);
    EXPECT_NEAR(walk.lambda2, 1 - std::cos(kPi / 39), 1e-12);
    EXPECT_LT(shape_error(walk.vector, [](double i) { return std::cos(kPi * i / 39); }), 1e-8);
    const Fiedler symmetric = fiedler_vector(graph, Laplacian::Symmetric);
    EXPECT_NEAR(symmetric.lambda2, walk.lambda2, 1e-12);
    EXPECT_LT(shape_error(symmetric.vector,
                          [](double i) { return (i == 0 || i == 39 ? std::sqrt(0.5) : 1) * std::cos(kPi * i / 39); }),
              1e-8);
    EXPECT_TRUE(plain.warnings.empty());
  }
}

TEST(Fiedler, OfACycleIsAWaveAndOneOfMany) {
  const Fiedler found = fiedler_vector(given(cycle_graph(30)), Laplacian::Unnormalized);
  EXPECT_NEAR(found.lambda2, 2 - 2 * std::cos(2 * kPi / 30), 1e-12);
  double a = 0, b = 0;  // its coefficients of the pair
  for (std::size_t i = 0; i < 30; ++i) {
    a += found.vector[i] * std::cos(2 * kPi * static_cast<double>(i) / 30) / 15;
    b += found.vector[i] * std::sin(2 * kPi * static_cast<double>(i) / 30) / 15;
  }
  for (std::size_t i = 0; i < 30; ++i) {
    const double angle = 2 * kPi * static_cast<double>(i) / 30;
    EXPECT_NEAR(found.vector[i], a * std::cos(angle) + b * std::sin(angle), 1e-9);
  }
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "repeated-eigenvalue");
}

TEST(Fiedler, ValuesOfOtherGraphs) {
  EXPECT_NEAR(fiedler_vector(given(complete_graph(9))).lambda2, 9.0 / 8, 1e-12);
  EXPECT_NEAR(fiedler_vector(given(complete_graph(9)), Laplacian::Unnormalized).lambda2, 9, 1e-11);
  EXPECT_NEAR(fiedler_vector(given(star_graph(9))).lambda2, 1, 1e-12);
  EXPECT_NEAR(fiedler_vector(given(star_graph(9)), Laplacian::Unnormalized).lambda2, 1, 1e-12);
  EXPECT_NEAR(fiedler_vector(given(grid_graph(12, 7)), Laplacian::Unnormalized).lambda2, 2 - 2 * std::cos(kPi / 12),
              1e-12);
  EXPECT_NEAR(fiedler_vector(given(path_graph(2))).lambda2, 2, 1e-12);
}

TEST(Fiedler, IsTheFirstCoordinateOfLaplacianEigenmaps) {
  const Array2<double> points = normal_matrix(200, 3, 4);
  for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized}) {
    const Fiedler found = fiedler_vector(weighted_graph(points, {.n_neighbors = 8}), laplacian);
    const Model model = laplacian_eigenmaps(points, {.n_components = 1, .n_neighbors = 8, .laplacian = laplacian});
    EXPECT_NEAR(found.lambda2, model.embedding().spectrum.values[0], 1e-12);
    for (Index i = 0; i < 200; ++i)
      EXPECT_NEAR(found.vector[static_cast<std::size_t>(i)], model.coordinates()(i, 0), 1e-7);
  }
}

TEST(Fiedler, OfSeveralComponentsIsTheContrastOfLaplacianEigenmaps) {
  Graph g = copies(cycle_graph(5), 3);
  g.edges[0].weight = 3;
  const WeightedGraph graph = given(g);
  for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized}) {
    const Fiedler found = fiedler_vector(graph, laplacian);
    const Model model =
        laplacian_eigenmaps(SparseSimilarities(sparse_of(weights_of(g))), {.n_components = 2,
                                                                           .weights = EdgeWeights::Precomputed,
                                                                           .laplacian = laplacian,
                                                                           .components = ComponentsPolicy::Keep});
    double trivial = 0;  // its product with the trivial vector, which is not to count
    for (std::size_t i = 0; i < 15; ++i) {
      EXPECT_NEAR(found.vector[i], model.coordinates()(static_cast<Index>(i), 0), 1e-15);
      const double degree = graph.degrees()[i];
      trivial += found.vector[i] * (laplacian == Laplacian::RandomWalk  ? degree
                                    : laplacian == Laplacian::Symmetric ? std::sqrt(degree)
                                                                        : 1);
    }
    EXPECT_NEAR(trivial, 0, 1e-14);
    EXPECT_EQ(found.lambda2, 0);
    ASSERT_EQ(found.warnings.size(), 1U);
    EXPECT_NE(found.warnings[0].message.find("3 components"), std::string::npos);
    EXPECT_EQ(sweep_cut(graph, found.vector).cut.conductance, 0);
    EXPECT_EQ(cheeger_bounds(found).upper, 0);
  }
}

/// Two cliques and one edge between them.
Graph dumbbell(double weight) {
  Graph g = copies(complete_graph(20), 2);
  g.edges.push_back({3, 25, weight});
  return g;
}

TEST(Fiedler, KeepsItsDigitsHoweverThinTheGraphIs) {
  for (const double weight : {1e-3, 1e-9, 1e-12, 1e-14, 1e-18, 1e-40, 1e-250})
    for (const bool sparse : {true, false}) {
      const WeightedGraph graph = given(dumbbell(weight), sparse);
      const double bridge = weight / (380 + weight);
      for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized}) {
        const bool is_plain = laplacian == Laplacian::Unnormalized;
        const Fiedler found = fiedler_vector(graph, laplacian);
        // That of the two sides, less what the slopes within the sides save: of the order weight / 20 relative to it.
        const double sides = is_plain ? weight / 10 : 2 * bridge;
        EXPECT_NEAR(found.lambda2 / sides, 1, 0.11 * weight + 1e-6) << weight << name_of(laplacian);
        EXPECT_LE(found.lambda2, sides * (1 + 1e-12));
        EXPECT_NEAR(found.lambda2_at_least / found.lambda2, 1, 1e-6) << weight << name_of(laplacian);
        EXPECT_LE(found.lambda2_at_least, found.lambda2);
        const bool warned = !found.warnings.empty() && found.warnings[0].code == "nearly-disconnected";
        EXPECT_EQ(warned, weight < 1e-10) << weight << name_of(laplacian);
        const SweepCut sweep = sweep_cut(graph, found.vector);
        EXPECT_NEAR(sweep.cut.conductance / bridge, 1, 1e-12);
        if (is_plain) continue;
        const CheegerBounds h = cheeger_bounds(found);
        EXPECT_LE(h.lower, bridge);
        EXPECT_GE(h.lower, 0.99 * bridge);
        EXPECT_GE(h.upper, bridge);
      }
    }
}

TEST(Fiedler, SeveralThinPlacesLeaveATrueIntervalOfTheLowestCut) {
  Graph g = copies(complete_graph(8), 3);
  g.edges.push_back({3, 10, 1e-18});
  g.edges.push_back({11, 20, 1e-21});
  const WeightedGraph graph = given(g);
  const Fiedler found = fiedler_vector(graph);
  const double lowest = 1e-21 / (56 + 1e-21);
  const CheegerBounds h = cheeger_bounds(found);
  EXPECT_LE(h.lower, lowest);
  EXPECT_GE(h.upper, lowest);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_EQ(found.warnings[0].code, "nearly-disconnected");
  EXPECT_NE(found.warnings[0].message.find("3 eigenvalues are 0 to rounding, more than its 1 component accounts"),
            std::string::npos);
}

TEST(Fiedler, TheUnitOfTheWeightsDoesNotMatter) {
  Graph g = random_graph(30, 0.1, 4);
  const Fiedler walk = fiedler_vector(given(g)), plain = fiedler_vector(given(g), Laplacian::Unnormalized);
  const Cut cut = sweep_cut(given(g), walk.vector).cut;
  for (const int exponent : {-1020, -400, 400, 1000}) {
    Graph scaled = g;
    for (Edge& edge : scaled.edges) edge.weight = std::ldexp(edge.weight, exponent);
    for (const bool sparse : {true, false}) {
      const WeightedGraph graph = given(scaled, sparse);
      const Fiedler found = fiedler_vector(graph);
      EXPECT_NEAR(found.lambda2 / walk.lambda2, 1, 1e-12);
      EXPECT_NEAR(std::ldexp(fiedler_vector(graph, Laplacian::Unnormalized).lambda2, -exponent) / plain.lambda2, 1,
                  1e-12);
      const Cut same = sweep_cut(graph, found.vector).cut;
      EXPECT_NEAR(same.conductance / cut.conductance, 1, 1e-12);
      EXPECT_NEAR(std::ldexp(same.cut, -exponent) / cut.cut, 1, 1e-12);
      EXPECT_NEAR(std::ldexp(graph.volume(), -exponent) / (cut.volume + cut.other_volume), 1, 1e-12);
    }
  }
  for (Edge& edge : g.edges) edge.weight *= 1e306;
  g.edges[0].weight = 1e308;
  expect_error(ErrorKind::InvalidData, "overflow (above 1.8e308)",
               [&] { fiedler_vector(given(g), Laplacian::Unnormalized); });
}

TEST(Cut, FormulasOfACycle) {
  const WeightedGraph graph = given(cycle_graph(12));
  std::vector<char> side(12);
  std::fill_n(side.begin(), 4, char{1});
  const Cut cut = cut_of(graph, side);
  EXPECT_DOUBLE_EQ(cut.cut, 2);
  EXPECT_DOUBLE_EQ(cut.volume, 8);
  EXPECT_DOUBLE_EQ(cut.other_volume, 16);
  EXPECT_DOUBLE_EQ(cut.conductance, 0.25);
  EXPECT_DOUBLE_EQ(cut.normalized_cut, 24.0 * 2 / (8 * 16));
  expect_error(ErrorKind::InvalidData, "on one side", [&] { cut_of(graph, std::vector<char>(12)); });
  expect_error(ErrorKind::InvalidData, "3 sides for 12 points", [&] { cut_of(graph, std::vector<char>(3)); });
}

TEST(Cut, EveryLabelAgainstTheRest) {
  const WeightedGraph graph = given(random_graph(60, 0.1, 2));
  std::vector<Index> labels(60);
  for (std::size_t i = 0; i < 60; ++i) labels[i] = static_cast<Index>(i * i % 7);
  const std::vector<Cut> cuts = cuts_of(graph, labels);
  ASSERT_EQ(cuts.size(), 5U);  // 0, 1, 2 and 4 are squares modulo 7
  for (const Index label : {0, 1, 2, 4}) {
    std::vector<char> side;
    for (const Index other : labels) side.push_back(other == label ? 1 : 0);
    const Cut expected = cut_of(graph, side), found = cuts[static_cast<std::size_t>(label)];
    EXPECT_NEAR(found.cut, expected.cut, 1e-12);
    EXPECT_NEAR(found.volume, expected.volume, 1e-12);
    EXPECT_NEAR(found.other_volume, expected.other_volume, 1e-11);
    EXPECT_NEAR(found.conductance, expected.conductance, 1e-14);
    EXPECT_NEAR(found.normalized_cut, expected.normalized_cut, 1e-14);
  }
  EXPECT_EQ(cuts[3].conductance, 0);
  labels[5] = -1;
  expect_error_of_row(ErrorKind::InvalidData, 5, "row 6 has the label -1; labels are 0 to 59",
                      [&] { cuts_of(graph, labels); });
  labels[5] = 60;
  expect_error_of_row(ErrorKind::InvalidData, 5, "row 6 has the label 60", [&] { cuts_of(graph, labels); });
}

/// All cuts of a small graph, without the library: the lowest conductance and the lowest normalised cut.
struct LowestCuts {
  double conductance = INFINITY;
  double normalized = INFINITY;
};
LowestCuts all_cuts(const Graph& g) {
  const std::vector<double> d = degrees(g);
  LowestCuts lowest;
  for (std::uint32_t set = 1; set < (1U << (g.size - 1)); ++set) {  // the last point is always outside
    double cut = 0, inside = 0, outside = 0;
    for (const auto& [a, b, weight] : g.edges) cut += ((set >> a) & 1) != ((set >> b) & 1) ? weight : 0;
    for (Index i = 0; i < g.size; ++i) (((set >> i) & 1) != 0 ? inside : outside) += d[static_cast<std::size_t>(i)];
    lowest.conductance = std::min(lowest.conductance, cut / std::min(inside, outside));
    lowest.normalized = std::min(lowest.normalized, cut / inside + cut / outside);
  }
  return lowest;
}

void expect_cheeger(const Graph& g) {
  constexpr double kRounding = 1e-12;
  const WeightedGraph graph = given(g);
  const Fiedler fiedler = fiedler_vector(graph);
  const SweepCut sweep = sweep_cut(graph, fiedler.vector);
  const CheegerBounds bounds = cheeger_bounds(fiedler);
  const LowestCuts lowest = all_cuts(g);
  const double h = lowest.conductance;
  EXPECT_LE(bounds.lower, h);
  EXPECT_LE(h, sweep.cut.conductance + kRounding);
  EXPECT_LE(sweep.cut.conductance, bounds.upper);
  EXPECT_LE(h * h / 2, fiedler.lambda2 + kRounding);  // the whole chain of the lecture's conductance
  EXPECT_LE(fiedler.lambda2, lowest.normalized + kRounding);
  EXPECT_LE(lowest.normalized, 2 * h + kRounding);
}

TEST(Cheeger, HoldsForAllCutsOfSmallGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Index n = 4 + static_cast<Index>(seed % 9);
    Graph g = random_graph(n, 0.05 + 0.1 * static_cast<double>(seed % 8), seed);
    for (std::size_t e = 0; e < g.edges.size(); ++e)  // a wide range of weights
      g.edges[e].weight = std::exp(6 * Random(seed, "weights").uniform(e) - 3);
    expect_cheeger(g);
  }
  for (const Graph& g : {path_graph(14), cycle_graph(13), star_graph(11), complete_graph(10), grid_graph(3, 4),
                         cube_graph(3), bipartite_graph(3, 5)})
    expect_cheeger(g);
}

TEST(Cheeger, SweepKeepsItsPromiseOnLargerGraphs) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const WeightedGraph graph = given(random_graph(200, 0.004 * static_cast<double>(seed), seed));
    const Fiedler fiedler = fiedler_vector(graph);
    const double found = sweep_cut(graph, fiedler.vector).cut.conductance;
    EXPECT_LE(found, cheeger_bounds(fiedler).upper);
    EXPECT_GE(found, cheeger_bounds(fiedler).lower);
  }
}

TEST(Sweep, IsTheBestPrefix) {
  const Graph g = random_graph(60, 0.08, 3);
  for (const bool sparse : {true, false}) {
    const WeightedGraph graph = given(g, sparse);
    const Random random(1, "values");
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 60; ++i) values.push_back(std::floor(8 * random.uniform(i)));  // many ties
    const SweepCut found = sweep_cut(graph, values);
    std::vector<Index> order;
    for (int value = 0; value < 8; ++value)
      for (Index i = 0; i < 60; ++i)
        if (values[static_cast<std::size_t>(i)] == value) order.push_back(i);
    std::vector<char> side(60), best_side;
    double best = INFINITY;
    for (std::size_t k = 0; k + 1 < 60; ++k) {
      side[static_cast<std::size_t>(order[k])] = 1;
      if (const double now = cut_of(graph, side).conductance; now < best - 1e-12) {
        best = now;
        best_side = side;
      }
    }
    EXPECT_NEAR(found.cut.conductance, best, 1e-12);
    EXPECT_EQ(found.side, best_side);
    EXPECT_EQ(found.size, std::count(best_side.begin(), best_side.end(), char{1}));
  }
}

TEST(Sweep, FindsTheBridgeOfADumbbell) {
  Graph g = copies(complete_graph(8), 2);
  g.edges.push_back({3, 12, 0.5});
  const WeightedGraph graph = given(g);
  const SweepCut found = sweep_cut(graph, fiedler_vector(graph).vector);
  EXPECT_EQ(found.size, 8);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(found.side[i], found.side[0]);
  EXPECT_NEAR(found.cut.conductance, 0.5 / 56.5, 1e-14);
  expect_error_of_row(ErrorKind::InvalidData, 2, "row 3 has the value NaN", [&] {
    std::vector<double> bad(16);
    bad[2] = NAN;
    sweep_cut(graph, bad);
  });
}

TEST(Sweep, ASideOfHardlyAnyVolumeIsNoneOfZero) {
  // A point that hangs on by 1e-20 has the conductance 1, whatever the sums of the other side round to.
  for (const Index end : {0, 20}) {
    Graph g = path_graph(21);
    g.edges[end == 0 ? 0 : 19].weight = 1e-20;
    g.edges[10].weight = 0.01;
    for (const bool sparse : {true, false}) {
      const WeightedGraph graph = given(g, sparse);
      std::vector<double> values(21);
      for (std::size_t i = 0; i < 21; ++i) values[i] = static_cast<double>(i);
      const SweepCut found = sweep_cut(graph, values);
      EXPECT_EQ(found.size, 11);
      EXPECT_NEAR(found.cut.conductance, 0.01 / (end == 0 ? 18.01 : 16.01), 1e-14);
      const Fiedler fiedler = fiedler_vector(graph);
      EXPECT_LE(sweep_cut(graph, fiedler.vector).cut.conductance, cheeger_bounds(fiedler).upper);
    }
  }
}

TEST(Sweep, PointsWithoutEdgesAreACutOfZero) {
  Graph g = path_graph(4);
  g.size = 5;
  const WeightedGraph graph = given(g);
  EXPECT_EQ(graph.components().count(), 2);
  EXPECT_EQ(sweep_cut(graph, fiedler_vector(graph).vector).cut.conductance, 0);
}

}  // namespace
}  // namespace unroll
