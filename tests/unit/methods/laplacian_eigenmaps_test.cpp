// Laplacian eigenmaps: closed-form spectra of graphs, the Swiss roll, new points, components, what is refused.
#include "unroll/methods/laplacian_eigenmaps.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "support/strips.h"
#include "support/weighted_graphs.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

using LaplacianOptions = LaplacianEigenmapsOptions;

SparseMatrix adjacency(const Graph& graph) {
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(graph.size));
  for (const Edge& edge : graph.edges) {
    rows[static_cast<std::size_t>(edge.a)].emplace_back(edge.b, edge.weight);
    rows[static_cast<std::size_t>(edge.b)].emplace_back(edge.a, edge.weight);
  }
  SparseMatrix w{.rows = graph.size, .cols = graph.size};
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    for (const auto& [column, weight] : row) w.columns.push_back(column), w.values.push_back(weight);
    w.offsets.push_back(std::ssize(w.columns));
  }
  return w;
}

Model of_graph(const Graph& graph, Index count, Laplacian laplacian, ComponentsPolicy policy = ComponentsPolicy::Keep) {
  return laplacian_eigenmaps(
      SparseSimilarities(adjacency(graph)),
      {.n_components = count, .weights = EdgeWeights::Precomputed, .laplacian = laplacian, .components = policy});
}

double half_angle(double k, double n) {  // 2 - 2 cos(2 x) = 4 sin^2 x, without its cancellation
  const double s = std::sin(std::numbers::pi * k / n);
  return 4 * s * s;
}

TEST(LaplacianEigenmaps, PathHasCosines) {
  for (const Index n : {10, 300, 20'000}) {
    const Model model = of_graph(path_graph(n), 3, Laplacian::Unnormalized);
    for (Index k = 1; k <= 3; ++k) {
      const double value = half_angle(static_cast<double>(k), 2 * static_cast<double>(n));
      EXPECT_NEAR(model.embedding().spectrum.values[static_cast<std::size_t>(k - 1)] / value, 1, 1e-5) << n;
      // v_k(i) = sqrt(2/n) cos(pi k (i + 1/2) / n), up to its sign
      double dot = 0;
      for (Index i = 0; i < n; ++i)
        dot += model.coordinates()(i, k - 1) * std::sqrt(2 / static_cast<double>(n)) *
               std::cos(std::numbers::pi * static_cast<double>(k) * (static_cast<double>(i) + 0.5) /
                        static_cast<double>(n));
      EXPECT_NEAR(std::abs(dot), 1, 1e-6) << n;
    }
  }
}

TEST(LaplacianEigenmaps, CycleHasPairsThatSpanSinAndCos) {
  const Index n = 360;
  for (const Laplacian laplacian : {Laplacian::Unnormalized, Laplacian::RandomWalk, Laplacian::Symmetric}) {
    const Model model = of_graph(cycle_graph(n), 4, laplacian);
    const double degree = laplacian == Laplacian::Unnormalized ? 1 : 2;
    for (Index pair = 0; pair < 2; ++pair) {
      const double value = half_angle(static_cast<double>(pair) + 1, static_cast<double>(n)) / degree;
      for (const Index k : {2 * pair, 2 * pair + 1})
        EXPECT_NEAR(model.embedding().spectrum.values[static_cast<std::size_t>(k)], value, 1e-9);
      // Both coordinates of a pair lie on a circle: rows have one length.
      const auto length = [&](Index i) {
        return std::hypot(model.coordinates()(i, 2 * pair), model.coordinates()(i, 2 * pair + 1));
      };
      for (Index i = 1; i < n; ++i) ASSERT_NEAR(length(i) / length(0), 1, 1e-6);
    }
  }
}

TEST(LaplacianEigenmaps, GridHasTheProductSpectrum) {
  const Model model = of_graph(grid_graph(40, 30), 3, Laplacian::Unnormalized);
  EXPECT_NEAR(model.embedding().spectrum.values[0], half_angle(1, 80), 1e-10);
  EXPECT_NEAR(model.embedding().spectrum.values[1], half_angle(1, 60), 1e-10);
  EXPECT_NEAR(model.embedding().spectrum.values[2], half_angle(1, 60) + half_angle(1, 80), 1e-10);
}

/// A path and a cycle of n points and a grid of a x b have the spectra that they should. At a million points the second
/// eigenvalue of a path is 1e-11, of a matrix of norm 4: what rounding leaves of its digits is 4 * 1e-16 / 1e-11.
void expect_known_spectra(Index n, Index a, Index b) {
  const auto length = static_cast<double>(n);
  const Model path = of_graph(path_graph(n), 1, Laplacian::Unnormalized);
  EXPECT_NEAR(path.embedding().spectrum.values[0] / half_angle(1, 2 * length), 1, 1e-3);
  double dot = 0;
  for (Index i = 0; i < n; ++i)
    dot += path.coordinates()(i, 0) * std::sqrt(2 / length) *
           std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / length);
  EXPECT_NEAR(std::abs(dot), 1, 1e-6);
  const Model cycle = of_graph(cycle_graph(n), 2, Laplacian::RandomWalk);
  for (const double value : cycle.embedding().spectrum.values) EXPECT_NEAR(value / half_angle(1, length) * 2, 1, 1e-3);
  const Model grid = of_graph(grid_graph(a, b), 2, Laplacian::Unnormalized);
  EXPECT_NEAR(grid.embedding().spectrum.values[0] / half_angle(1, 2 * static_cast<double>(a)), 1, 1e-8);
  EXPECT_NEAR(grid.embedding().spectrum.values[1] / half_angle(1, 2 * static_cast<double>(b)), 1, 1e-8);
}

TEST(LaplacianEigenmaps, ManyPoints) { expect_known_spectra(50'000, 250, 200); }
TEST(LaplacianEigenmapsSlow, AMillionPoints) { expect_known_spectra(1'000'000, 1250, 800); }

void expect_flat_roll(std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Dataset roll = make_dataset("swiss_roll", 2000, seed);
    const Model model = laplacian_eigenmaps(roll.points, {.n_components = 1});
    // |Spearman| of the first coordinate with arc length: of their ranks.
    const auto ranks = [&](const Array2<double>& x) {
      std::vector<Index> order(2000);
      for (Index i = 0; i < 2000; ++i) order[static_cast<std::size_t>(i)] = i;
      std::sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a, 0) < x(b, 0); });
      std::vector<double> rank(2000);
      for (std::size_t r = 0; r < 2000; ++r) rank[static_cast<std::size_t>(order[r])] = static_cast<double>(r);
      return rank;
    };
    const auto a = ranks(model.coordinates()), b = ranks(roll.truth);
    double squares = 0, other = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      squares += (a[i] - b[i]) * (a[i] - b[i]);
      other += (1999 - a[i] - b[i]) * (1999 - a[i] - b[i]);
    }
    const double n = 2000, spearman = 1 - 6 * std::min(squares, other) / (n * (n * n - 1));
    EXPECT_GE(spearman, 0.995) << seed;
  }
}

TEST(LaplacianEigenmaps, UnrollsTheSwissRoll) { expect_flat_roll(2); }
TEST(LaplacianEigenmapsSlow, UnrollsTheSwissRollForTenSeeds) { expect_flat_roll(10); }

struct LaplacianCase {
  const char* name;
  LaplacianOptions options;
  enum { Points, Distances, Weights } input = Points;
  bool clusters = false;
  friend void PrintTo(const LaplacianCase& tested, std::ostream* out) { *out << tested.name; }
};
class LaplacianVariants : public testing::TestWithParam<LaplacianCase> {
 protected:
  static Array2<double> input() {
    Array2<double> x =
        GetParam().clusters ? two_clusters(70, 40, 3, 1, 50, 1) : make_dataset("swiss_roll", 180, 1).points;
    if (GetParam().input == LaplacianCase::Points) return x;
    Array2<double> d = distances_between(x);
    if (GetParam().input == LaplacianCase::Distances) return d;
    for (Index i = 0; i < d.rows(); ++i)
      for (Index j = 0; j < d.cols(); ++j) d(i, j) = i == j ? 0 : std::exp(-d(i, j) * d(i, j) / 20);
    return d;
  }
};
INSTANTIATE_TEST_SUITE_P(
    LaplacianEigenmaps, LaplacianVariants,
    testing::Values(
        LaplacianCase{"plain", {}}, LaplacianCase{"symmetric", {.laplacian = Laplacian::Symmetric}},
        LaplacianCase{"unnormalized", {.laplacian = Laplacian::Unnormalized}},
        LaplacianCase{"binary", {.weights = EdgeWeights::Binary}},
        LaplacianCase{"self_tuning", {.bandwidth = Bandwidth::SelfTuning}},
        LaplacianCase{"berry_harlim", {.bandwidth = Bandwidth::BerryHarlim}}, LaplacianCase{"sigma", {.sigma = 2.0}},
        LaplacianCase{"radius", {.radius = 7.0}}, LaplacianCase{"full", {.graph = GraphKind::Full}},
        LaplacianCase{"full_self_tuning", {.graph = GraphKind::Full, .bandwidth = Bandwidth::SelfTuning}},
        LaplacianCase{"mutual", {.n_neighbors = 15, .symmetrization = Symmetrization::Mutual}},
        LaplacianCase{"average", {.symmetrization = Symmetrization::Average}},
        LaplacianCase{"average_unnormalized",
                      {.symmetrization = Symmetrization::Average,
                       .weights = EdgeWeights::Binary,
                       .laplacian = Laplacian::Unnormalized}},
        LaplacianCase{
            "mutual_self_tuning",
            {.n_neighbors = 15, .symmetrization = Symmetrization::Mutual, .bandwidth = Bandwidth::SelfTuning}},
        LaplacianCase{"mutual_radius", {.radius = 7.0, .symmetrization = Symmetrization::Mutual}},
        LaplacianCase{
            "mutual_connected",
            {.n_neighbors = 5, .symmetrization = Symmetrization::Mutual, .components = ComponentsPolicy::Connect},
            LaplacianCase::Points,
            true},
        LaplacianCase{"average_connected",
                      {.symmetrization = Symmetrization::Average, .components = ComponentsPolicy::Connect},
                      LaplacianCase::Points,
                      true},
        LaplacianCase{"average_distances",
                      {.symmetrization = Symmetrization::Average, .metric = Metric::Precomputed},
                      LaplacianCase::Distances},
        LaplacianCase{"cosine", {.metric = Metric::Cosine}},
        LaplacianCase{"distances", {.metric = Metric::Precomputed}, LaplacianCase::Distances},
        LaplacianCase{
            "full_distances", {.graph = GraphKind::Full, .metric = Metric::Precomputed}, LaplacianCase::Distances},
        LaplacianCase{"given_weights", {.weights = EdgeWeights::Precomputed}, LaplacianCase::Weights},
        LaplacianCase{"apart", {}, LaplacianCase::Points, true},
        LaplacianCase{"apart_unnormalized",
                      {.weights = EdgeWeights::Binary, .laplacian = Laplacian::Unnormalized},
                      LaplacianCase::Points,
                      true},
        LaplacianCase{"connected", {.components = ComponentsPolicy::Connect}, LaplacianCase::Points, true},
        LaplacianCase{"kept", {.components = ComponentsPolicy::Keep}, LaplacianCase::Points, true},
        LaplacianCase{"landmarks", {.n_landmarks = 90}}, LaplacianCase{"independent", {.independent = true}}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(LaplacianVariants, KeepTheContracts) {
  const Array2<double> x = input();
  const Model model = laplacian_eigenmaps(x, GetParam().options, {.threads = 1});
  const Array2<double> batch = model.transform(x);
  EXPECT_LT(relative_difference(batch, model.coordinates()), 1e-6);
  EXPECT_EQ(has_warning(model, "graph-disconnected"), GetParam().clusters);
  for (const Index i : {0, 7, 100}) EXPECT_EQ(model.transform(rows_of(x, i, 1)), rows_of(batch, i, 1));
  for (const int threads : {2, 3, 8}) {
    const Model again = laplacian_eigenmaps(x, GetParam().options, {.threads = threads});
    EXPECT_EQ(again.coordinates(), model.coordinates());
    EXPECT_EQ(again.transform(x, {.threads = threads}), batch);
  }
  const ScratchFolder folder;
  model.save(folder / "m.unroll");
  EXPECT_EQ(load_model(folder / "m.unroll").transform(x), batch);
}

// Kept together, all components but one have an indicator; every other eigenvalue is there three times.
/// W of all points but the last, and the row of the last, by the formula.
Array2<double> heat_by_rule(const Array2<double>& x, Index k, double sigma, Symmetrization rule, Index known) {
  const Array2<double> d = distances_between(x);
  const auto has = [&](Index i, Index j) {  // j among the k nearest of i, which are of the known points
    Index nearer = 0;
    for (Index other = 0; other < known; ++other) nearer += other != i && other != j && d(i, other) < d(i, j);
    return i != j && nearer < k;
  };
  Array2<double> w(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) {
      const double there = has(i, j) ? 1 : 0, back = has(j, i) ? 1 : 0;
      const double share = rule == Symmetrization::Union    ? std::max(there, back)
                           : rule == Symmetrization::Mutual ? std::min(there, back)
                                                            : (there + back) / 2;
      w(i, j) = share * std::exp(-d(i, j) * d(i, j) / (2 * sigma * sigma));
    }
  return w;
}

TEST(LaplacianEigenmaps, NewPointsAreJoinedByTheSameRule) {
  const Index n = 150;
  Array2<double> x = normal_matrix(n + 1, 2, 8);
  for (const Symmetrization rule : {Symmetrization::Union, Symmetrization::Mutual, Symmetrization::Average}) {
    const Model model = laplacian_eigenmaps(
        rows_of(x, 0, n),
        {.n_neighbors = 12, .symmetrization = rule, .sigma = 0.7, .components = ComponentsPolicy::Keep});
    for (const double at : {0.1, 0.8, 2.5}) {
      x(n, 0) = at, x(n, 1) = -0.3;
      const Array2<double> w = heat_by_rule(x, 12, 0.7, rule, n);
      const Array2<double> placed = model.transform(rows_of(x, n, 1));
      for (Index k = 0; k < 2; ++k) {
        double sum = 0, degree = 0;
        for (Index j = 0; j < n; ++j) sum += w(n, j) * model.coordinates()(j, k), degree += w(n, j);
        const double value = model.embedding().spectrum.values[static_cast<std::size_t>(k)];
        EXPECT_NEAR(placed(0, k), sum / degree / (1 - value), 1e-12) << name_of(rule) << at;
      }
    }
  }
}

TEST(LaplacianEigenmaps, MultiplicityOfZeroIsTheNumberOfComponents) {
  Graph three = copies(cycle_graph(12), 3);
  three.edges.push_back({.a = 0, .b = 6, .weight = 2});  // not all alike
  for (const Laplacian laplacian : {Laplacian::Unnormalized, Laplacian::RandomWalk, Laplacian::Symmetric}) {
    const Model model = of_graph(three, 6, laplacian);
    const std::vector<double>& values = model.embedding().spectrum.values;
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 2);  // and the constant, which is skipped
    const double first = half_angle(1, 12) / (laplacian == Laplacian::Unnormalized ? 1 : 2);
    EXPECT_NEAR(values[2], first, 1e-10);
    const Array2<double>& y = model.coordinates();
    for (Index k = 0; k < 2; ++k) {
      double sum = 0;
      for (Index i = 0; i < 36; ++i) {
        const double degree = 2 + (i == 0 || i == 6 ? 2 : 0);
        const double weight = laplacian == Laplacian::Unnormalized ? 1
                              : laplacian == Laplacian::RandomWalk ? degree
                                                                   : std::sqrt(degree);
        sum += weight * y(i, k);
        if (laplacian != Laplacian::Symmetric) {
          EXPECT_NEAR(y(i, k), y(i / 12 * 12, k), 1e-12);
        }
      }
      EXPECT_NEAR(sum, 0, 1e-12);
    }
    EXPECT_EQ(model.attribute<std::int64_t>("components"), 3);
    for (Index k = 0; k < 6; ++k)
      for (Index m = 0; m <= k; ++m) {
        double dot = 0;
        for (Index i = 0; i < 36; ++i)
          dot += y(i, k) * y(i, m) * (laplacian == Laplacian::RandomWalk ? 2 + (i == 0 || i == 6 ? 2 : 0) : 1);
        EXPECT_NEAR(dot, k == m ? 1 : 0, 1e-9);
      }
  }
  expect_error(ErrorKind::InvalidOption, "n_components=36 must be less than the number of points, 36",
               [&] { of_graph(three, 36, Laplacian::RandomWalk); });
}

TEST(LaplacianEigenmaps, DegreesNormalizeTheRandomWalk) {
  const Dataset roll = make_dataset("swiss_roll", 300, 2);
  const Model model = laplacian_eigenmaps(roll.points, {.graph = GraphKind::Full, .sigma = 5.0});
  const Array2<double> d = distances_between(roll.points);
  double norm = 0, mean = 0;
  for (Index i = 0; i < 300; ++i) {
    double degree = 0;
    for (Index j = 0; j < 300; ++j)
      if (j != i) degree += std::exp(-d(i, j) * d(i, j) / 50);
    norm += degree * model.coordinates()(i, 0) * model.coordinates()(i, 0);
    mean += degree * model.coordinates()(i, 0);
  }
  EXPECT_NEAR(norm, 1, 1e-9);  // v' D v = 1
  EXPECT_NEAR(mean, 0, 1e-9);  // and orthogonal to the constant
}

constexpr std::array kLaplacians{Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized};

// The first eigenvectors of a strip are harmonics of its length, and the first one across comes after as many as it is
// times as long as wide.
TEST(LaplacianEigenmaps, RepeatedDirectionsAreTold) {
  for (const Laplacian laplacian : kLaplacians) {
    for (const double length : {3.0, 7.0, 20.0, 50.0})
      EXPECT_TRUE(has_warning(laplacian_eigenmaps(random_strip(3000, length, 1), {.laplacian = laplacian}),
                              "repeated-direction"))
          << name_of(laplacian) << length;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Model roll = laplacian_eigenmaps(make_dataset("swiss_roll", 2000, seed).points, {.laplacian = laplacian});
      EXPECT_TRUE(has_warning(roll, "repeated-direction")) << name_of(laplacian) << seed;
    }
  }
}

TEST(LaplacianEigenmaps, IndependentCoordinatesTellTheWidthOfAStrip) {
  for (const Laplacian laplacian : kLaplacians) {
    for (const double length : {3.0, 7.0}) {
      const Array2<double> strip = even_strip(1500, length);
      const Model model = laplacian_eigenmaps(strip, {.laplacian = laplacian, .independent = true});
      EXPECT_GT(correlation(model.coordinates(), 0, strip, 0), 0.9) << name_of(laplacian) << length;
      EXPECT_GT(correlation(model.coordinates(), 1, strip, 1), 0.9) << name_of(laplacian) << length;
      EXPECT_FALSE(has_warning(model, "repeated-direction"));
    }
    // On longer ones noise mixes many eigenvectors. The one taken still tells the width of most points.
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Array2<double> strip = random_strip(3000, 20, seed);
      const Model model = laplacian_eigenmaps(strip, {.laplacian = laplacian, .independent = true});
      EXPECT_GT(share_told(model.coordinates(), strip, 1), laplacian == Laplacian::Symmetric ? 0.3 : 0.5) << seed;
      EXPECT_FALSE(has_warning(model, "repeated-direction"));
    }
    const Array2<double> longest = random_strip(3000, 50, 1);
    const Model model = laplacian_eigenmaps(longest, {.laplacian = laplacian, .independent = true});
    EXPECT_TRUE(has_warning(model, "repeated-direction") || share_told(model.coordinates(), longest, 1) > 0.6);
  }
}

TEST(LaplacianEigenmaps, IndependentCoordinatesTellTheHeightOfTheSwissRoll) {
  for (const Laplacian laplacian : kLaplacians)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Dataset roll = make_dataset("swiss_roll", 2000, seed);
      const Model model = laplacian_eigenmaps(roll.points, {.laplacian = laplacian, .independent = true});
      EXPECT_GT(correlation(model.coordinates(), 1, roll.truth, 1), 0.6) << name_of(laplacian) << seed;
      EXPECT_GT(share_told(model.coordinates(), roll.truth, 1), laplacian == Laplacian::Symmetric ? 0.7 : 0.9) << seed;
      EXPECT_FALSE(has_warning(model, "repeated-direction"));
    }
}

TEST(LaplacianEigenmaps, NoDirectionIsLost) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const Array2<double>& x : {random_strip(2000, 1, seed), make_dataset("torus", 2000, seed).points,
                                    make_dataset("punctured_sphere", 2000, seed).points}) {
      const Model plain = laplacian_eigenmaps(x), chosen = laplacian_eigenmaps(x, {.independent = true});
      EXPECT_FALSE(has_warning(plain, "repeated-direction")) << seed;
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_NEAR(chosen.embedding().spectrum.values[k] / plain.embedding().spectrum.values[k], 1, 1e-4) << seed;
    }
}

// A square has two directions: they come first, and the hint says so.
TEST(LaplacianEigenmaps, WhereThereAreTooFewDirectionsTheHintCanBeFollowed) {
  const Array2<double> square = random_strip(2000, 1, 1);
  const Model four = laplacian_eigenmaps(square, {.n_components = 4, .independent = true});
  ASSERT_TRUE(has_warning(four, "repeated-direction"));
  EXPECT_NE(four.embedding().warnings.back().message.find("coordinates 3, 4 "), std::string::npos);
  EXPECT_NE(four.embedding().warnings.back().hint.find("n_components=2"), std::string::npos);
  const Model two = laplacian_eigenmaps(square, {.n_components = 2, .independent = true});
  EXPECT_FALSE(has_warning(two, "repeated-direction"));
}

/// Several strips, far from each other.
Array2<double> far_apart(const std::vector<Array2<double>>& strips) {
  Index n = 0;
  for (const Array2<double>& strip : strips) n += strip.rows();
  Array2<double> x(n, 2);
  Index row = 0;
  for (std::size_t s = 0; s < strips.size(); ++s)
    for (Index i = 0; i < strips[s].rows(); ++i, ++row)
      x(row, 0) = strips[s](i, 0), x(row, 1) = strips[s](i, 1) + 100.0 * static_cast<double>(s);
  return x;
}

// The width is another eigenvector of each strip; a small part has few eigenvectors, and shows its first.
TEST(LaplacianEigenmaps, EveryComponentHasIndependentCoordinatesOfItsOwn) {
  std::vector<Array2<double>> parts{random_strip(1500, 4.4, 1), random_strip(800, 2.6, 2), random_strip(5, 1, 3)};
  for (Index i = 0; i < parts[2].size(); ++i) parts[2].data()[i] *= 0.08;
  const Array2<double> x = far_apart(parts);
  for (const Laplacian laplacian : kLaplacians) {
    const LaplacianOptions options{.radius = 0.13, .sigma = 0.05, .laplacian = laplacian, .independent = true};
    const Model model = laplacian_eigenmaps(x, options);
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
    Index first = 0;
    for (const Array2<double>& part : parts) {
      const Array2<double> alone = laplacian_eigenmaps(part, options).coordinates();
      Array2<double> own = rows_of(model.coordinates(), first, part.rows());
      const double offset = own(0, 0) - alone(0, 0);
      for (Index i = 0; i < own.rows(); ++i) own(i, 0) -= offset;
      EXPECT_LT(relative_difference(own, alone), 1e-6) << name_of(laplacian) << part.rows();
      EXPECT_GT(std::abs(alone(0, 1)), 0);
      first += part.rows();
    }
  }
}

TEST(LaplacianEigenmaps, RepetitionsAreWarnedOfInEveryComponent) {
  const Array2<double> x = far_apart({random_strip(600, 1, 1), random_strip(500, 8, 2), random_strip(400, 8, 3)});
  const Model model = laplacian_eigenmaps(x);
  const auto& warnings = model.embedding().warnings;
  const auto found = std::find_if(warnings.begin(), warnings.end(),
                                  [](const Warning& warning) { return warning.code == "repeated-direction"; });
  ASSERT_NE(found, warnings.end());
  EXPECT_EQ(found->message,
            "component 2, of 500 points: coordinate 2 is mostly a function of those before, as on a long strip; so it "
            "is in 1 other component");
}

TEST(LaplacianEigenmaps, IndependentCoordinatesOfTwoStrips) {
  const Array2<double> strip = random_strip(1500, 4.4, 1), small = random_strip(300, 1, 2);
  Array2<double> x(1800, 2);
  std::copy_n(strip.data(), strip.size(), x.data());
  for (Index i = 0; i < 300; ++i) x(1500 + i, 0) = small(i, 0) + 100, x(1500 + i, 1) = small(i, 1);
  for (const Laplacian laplacian : kLaplacians) {
    const Model model = laplacian_eigenmaps(x, {.laplacian = laplacian, .independent = true});
    EXPECT_GT(correlation(rows_of(model.coordinates(), 0, 1500), 1, strip, 1), 0.7) << name_of(laplacian);
    EXPECT_TRUE(has_warning(laplacian_eigenmaps(x, {.laplacian = laplacian}), "repeated-direction"));
  }
}

TEST(LaplacianEigenmaps, ClustersAreNoRepetition) {
  // Four clouds in a square, joined by chance: the second coordinate parts what the first one does not.
  Array2<double> x = normal_matrix(600, 2, 3);
  for (Index i = 0; i < 600; ++i) {
    x(i, 0) += 4.0 * static_cast<double>(i % 2);
    x(i, 1) += 4.0 * static_cast<double>(i / 2 % 2);
  }
  EXPECT_FALSE(has_warning(laplacian_eigenmaps(x), "repeated-direction"));
}

TEST(LaplacianEigenmaps, ARepeatedEigenvalueIsThatOfAColumnOfTheMap) {
  // A bar of square section: across it there are two equal directions, of which one coordinate shows one.
  constexpr Index kLength = 40, kSide = 4, kSection = kSide * kSide;
  Array2<double> bar(kLength * kSection, 3);
  for (Index i = 0; i < bar.rows(); ++i) {
    const Index along = i / kSection, up = i / kSide % kSide, across = i % kSide;
    bar(i, 0) = static_cast<double>(along);
    bar(i, 1) = static_cast<double>(up);
    bar(i, 2) = static_cast<double>(across);
  }
  const Model model = laplacian_eigenmaps(bar, {.radius = 1, .weights = EdgeWeights::Binary, .independent = true});
  const auto& warnings = model.embedding().warnings;
  const auto told = std::find_if(warnings.begin(), warnings.end(),
                                 [](const Warning& warning) { return warning.code == "repeated-eigenvalue"; });
  ASSERT_NE(told, warnings.end());
  EXPECT_NE(told->message.find("of coordinate 2 "), std::string::npos) << told->message;
  EXPECT_NE(told->hint.find("n_components=1,"), std::string::npos) << told->hint;
}

TEST(LaplacianEigenmaps, AnIsolatedVertexIsAComponent) {
  Graph graph = path_graph(20);
  graph.size = 21;
  const Model kept = of_graph(graph, 2, Laplacian::RandomWalk);
  for (Index i = 0; i < 21; ++i) EXPECT_EQ(kept.coordinates()(i, 0), i == 20 ? 1 : 0);
  EXPECT_TRUE(has_warning(kept, "graph-disconnected"));
  const Model apart = of_graph(graph, 2, Laplacian::RandomWalk, ComponentsPolicy::Separate);
  for (Index i = 0; i < apart.coordinates().size(); ++i) ASSERT_TRUE(std::isfinite(apart.coordinates().data()[i]));
}

/// 60 points around the origin, and one far away.
Array2<double> with_an_outlier() {
  Array2<double> x = normal_matrix(61, 2, 3);
  x(60, 0) = 1000;
  return x;
}

TEST(LaplacianEigenmaps, APointFarFromAllOthersIsAComponent) {
  const Array2<double> x = with_an_outlier();
  std::vector<LaplacianOptions> list(5);
  list[1].radius = 1.5;
  list[2].graph = GraphKind::Full;
  list[3].components = ComponentsPolicy::Connect;
  list[4].components = ComponentsPolicy::Keep;
  for (const LaplacianOptions& options : list) {
    const Model model = laplacian_eigenmaps(x, options);
    EXPECT_TRUE(has_warning(model, "graph-disconnected"));
    EXPECT_EQ(has_warning(model, "vanishing-weights"), !options.radius.has_value());
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
    const double first = model.embedding().spectrum.values[0];
    if (options.components == ComponentsPolicy::Keep) {
      EXPECT_EQ(first, 0);
    } else {
      EXPECT_GT(first, 1e-4);
    }
  }
  expect_error(ErrorKind::InvalidData, "sigma=0.3 makes all weights of 1 point zero",
               [&] { laplacian_eigenmaps(x, {.sigma = 0.3}); });
}

TEST(LaplacianEigenmaps, ConnectConnects) {
  const Array2<double> x = two_clusters(60, 60, 3, 1, 50, 1);
  for (const Bandwidth bandwidth : {Bandwidth::Median, Bandwidth::SelfTuning, Bandwidth::BerryHarlim}) {
    const Model model = laplacian_eigenmaps(x, {.bandwidth = bandwidth, .components = ComponentsPolicy::Connect});
    EXPECT_EQ(model.attribute<std::int64_t>("components"), 1);
    EXPECT_GT(model.embedding().spectrum.values[0], 1e-6);
    EXPECT_FALSE(has_warning(model, "nearly-disconnected"));
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
  }
}

TEST(LaplacianEigenmaps, GroupsOfAFullGraphBetweenWhichNothingIsLeft) {
  const Array2<double> x = two_clusters(30, 30, 2, 1, 1000, 1);
  const LaplacianOptions full{.graph = GraphKind::Full, .sigma = 1.0, .components = ComponentsPolicy::Keep};
  const Model model = laplacian_eigenmaps(x, full);
  EXPECT_EQ(model.attribute<std::int64_t>("components"), 2);
  EXPECT_EQ(model.embedding().spectrum.values[0], 0);
  EXPECT_TRUE(has_warning(model, "graph-disconnected"));
  LaplacianOptions connect = full;
  connect.components = ComponentsPolicy::Connect;
  expect_error(ErrorKind::Disconnected, "use sigma=", [&] { laplacian_eigenmaps(x, connect); });
}

TEST(LaplacianEigenmaps, ABridgeOfNextToNothingIsTold) {
  Graph graph = copies(cycle_graph(15), 2);
  graph.edges.push_back({.a = 0, .b = 20, .weight = 1e-15});
  const Model model = of_graph(graph, 2, Laplacian::RandomWalk);
  EXPECT_TRUE(has_warning(model, "nearly-disconnected"));
  EXPECT_FALSE(has_warning(of_graph(cycle_graph(30), 2, Laplacian::RandomWalk), "nearly-disconnected"));
}

TEST(LaplacianEigenmaps, IndependentCoordinatesOfSeveralComponents) {
  const Array2<double> x = two_clusters(12, 12, 2, 1, 100, 1);
  const Model model = laplacian_eigenmaps(x, {.n_neighbors = 5, .independent = true});
  EXPECT_EQ(model.n_components(), 2);
}

TEST(LaplacianEigenmaps, TrainingRowsThatTheFormulaCannotPlace) {
  // Three points in a row, apart from the others, have the eigenvalue 1, of which neighbors say nothing.
  Array2<double> x = normal_matrix(63, 2, 4);
  for (Index i = 60; i < 63; ++i) x(i, 0) = 100 + static_cast<double>(i - 60), x(i, 1) = 0;
  const Model model = laplacian_eigenmaps(x, {.radius = 1.2, .weights = EdgeWeights::Binary});
  EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
  Array2<double> between(1, 2);
  between(0, 0) = 100.5;
  expect_error(ErrorKind::InvalidData, "row 1 cannot be placed: coordinate 1 belongs to the eigenvalue 1",
               [&] { model.transform(between); });
  // d(x) is less than lambda for points at the rim.
  const Dataset roll = make_dataset("swiss_roll", 300, 1);
  const Model plain = laplacian_eigenmaps(
      roll.points, {.n_components = 40, .graph = GraphKind::Full, .laplacian = Laplacian::Unnormalized});
  EXPECT_LT(relative_difference(plain.transform(roll.points), plain.coordinates()), 1e-6);
}

TEST(LaplacianEigenmaps, IdenticalPointsAreTold) {
  Array2<double> x(40, 3);
  EXPECT_TRUE(has_warning(laplacian_eigenmaps(x), "identical-points"));
  EXPECT_TRUE(has_warning(laplacian_eigenmaps(x, {.graph = GraphKind::Full}), "identical-points"));
}

TEST(LaplacianEigenmaps, ManyComponentsTakeNoSquareOfTheirNumber) {
  Graph pairs = copies(path_graph(2), 20'000);
  const Model kept = laplacian_eigenmaps(SparseSimilarities(adjacency(pairs)),
                                         {.weights = EdgeWeights::Precomputed, .components = ComponentsPolicy::Keep},
                                         {.memory_budget = 100'000'000});
  EXPECT_EQ(kept.embedding().spectrum.values, (std::vector<double>{0, 0}));
  const Model apart =
      laplacian_eigenmaps(SparseSimilarities(adjacency(pairs)),
                          {.n_components = 1, .weights = EdgeWeights::Precomputed}, {.memory_budget = 100'000'000});
  EXPECT_NEAR(apart.embedding().spectrum.values[0], 2, 1e-12);
}

TEST(LaplacianEigenmaps, WhatIsRefused) {
  const LaplacianOptions given{.weights = EdgeWeights::Precomputed};
  expect_error(ErrorKind::InvalidData, "all weights between different points are zero",
               [&] { laplacian_eigenmaps(Array2<double>(5, 5), given); });
  Array2<double> negative = distances_between(normal_matrix(6, 2, 1));
  negative(2, 4) = negative(4, 2) = -0.5;
  expect_error(ErrorKind::InvalidData, "row 3 has the weight -0.5 in column 5",
               [&] { laplacian_eigenmaps(negative, given); });
  expect_error(ErrorKind::InvalidData, "square", [&] { laplacian_eigenmaps(normal_matrix(6, 2, 1), given); });
  const Array2<double> x = normal_matrix(60, 3, 1);
  expect_error(ErrorKind::InvalidData, "try sigma=", [&] { laplacian_eigenmaps(x, {.sigma = 1e-9}); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors=60 must be less than the number of points, 60",
               [&] { laplacian_eigenmaps(x, {.n_neighbors = 60}); });
  expect_error(ErrorKind::InvalidOption, "n_components=60", [&] { laplacian_eigenmaps(x, {.n_components = 60}); });
  Array2<double> far(1, 3);
  far(0, 0) = 1e9;
  const Model model = laplacian_eigenmaps(x, {.radius = 4.0});
  expect_error(ErrorKind::InvalidData, "row 1 has no training point near enough", [&] { model.transform(far); });
  EXPECT_TRUE(has_warning(
      laplacian_eigenmaps(with_duplicates(120, 2, 9, 1), {.n_neighbors = 10, .bandwidth = Bandwidth::SelfTuning}),
      "zero-width"));
}

TEST(LaplacianEigenmaps, OptionsThatWouldBeIgnoredAreRefused) {
  const Array2<double> x = normal_matrix(30, 2, 1), w = weights_of(path_graph(30));
  const auto refused = [](const Array2<double>& input, const LaplacianOptions& options, const std::string& why) {
    expect_error(ErrorKind::InvalidOption, why, [&] { laplacian_eigenmaps(input, options); });
  };
  const EdgeWeights given = EdgeWeights::Precomputed;
  refused(w, {.n_neighbors = 5, .weights = given}, "n_neighbors=5 is for distances");
  refused(w, {.radius = 2.0, .weights = given}, "radius=2 is for distances");
  refused(x, {.symmetrization = Symmetrization::None}, "symmetrization=none must be one of: union, mutual, average");
  refused(w, {.symmetrization = Symmetrization::Mutual, .weights = given}, "symmetrization=mutual is for distances");
  refused(w, {.weights = given, .metric = Metric::Precomputed}, "metric=precomputed is for");
  refused(w, {.weights = given, .components = ComponentsPolicy::Connect}, "components=connect adds the shortest edges");
  refused(w, {.weights = given, .sigma = 1.0}, "sigma=1 is for weights=heat");
  refused(x, {.n_neighbors = 5, .graph = GraphKind::Full}, "n_neighbors=5 is for graph=neighbors");
  refused(x, {.radius = 5.0, .graph = GraphKind::Full}, "radius=5 is for graph=neighbors");
  refused(x, {.weights = EdgeWeights::Binary, .sigma = 2.0}, "sigma=2 is for weights=heat, not weights=binary");
  refused(x, {.weights = EdgeWeights::Binary, .bandwidth = Bandwidth::SelfTuning}, "bandwidth=self_tuning is for");
  refused(x, {.sigma = 2.0, .bandwidth = Bandwidth::SelfTuning}, "bandwidth=self_tuning chooses sigma, but sigma=2");
  expect_error(ErrorKind::InvalidOption, "n_neighbors=5 is for distances",
               [&] { laplacian_eigenmaps(SparseSimilarities(sparse_of(w)), {.n_neighbors = 5, .weights = given}); });
}

TEST(LaplacianEigenmaps, GraphsWithoutEdgesSayWhy) {
  expect_error(ErrorKind::InvalidOption, "radius=1e-09 is less than all distances: there are no edges",
               [] { laplacian_eigenmaps(normal_matrix(30, 2, 1), {.radius = 1e-9}); });
  expect_error(ErrorKind::InvalidData, "the matrix has no entries",
               [] { laplacian_eigenmaps(SparseDistances(sparse_of(Array2<double>(5, 5))), {}); });
}

TEST(LaplacianEigenmaps, HintsCanBeFollowed) {
  const auto hint = [](const Model& model) {
    for (const Warning& warning : model.embedding().warnings)
      if (warning.code == "graph-disconnected") return warning.hint;
    return std::string("none");
  };
  const Array2<double> apart = two_clusters(70, 40, 3, 1, 50, 1), parts = weights_of(copies(cycle_graph(8), 2));
  EXPECT_EQ(hint(laplacian_eigenmaps(apart, {.n_neighbors = 5})).find("separate"), std::string::npos);
  EXPECT_NE(hint(laplacian_eigenmaps(apart, {.n_neighbors = 5, .components = ComponentsPolicy::Keep})).find("separate"),
            std::string::npos);
  const LaplacianOptions given{.weights = EdgeWeights::Precomputed};
  EXPECT_EQ(hint(laplacian_eigenmaps(parts, given)), "give weights between them, if they belong together");
  EXPECT_NE(
      hint(laplacian_eigenmaps(parts, {.weights = EdgeWeights::Precomputed, .components = ComponentsPolicy::Keep}))
          .find("components=separate"),
      std::string::npos);
}

TEST(LaplacianEigenmaps, MemoryOfFullMatricesIsPlanned) {
  const Array2<double> w = weights_of(random_graph(400, 0.2, 1));  // 1.28 MB
  const unroll::Run little{.memory_budget = 1'000'000};
  expect_error(ErrorKind::OutOfMemory, "the weights of all pairs",
               [&] { laplacian_eigenmaps(w, {.weights = EdgeWeights::Precomputed}, little); });
  expect_error(ErrorKind::OutOfMemory, "the weights of all pairs",
               [&] { laplacian_eigenmaps(normal_matrix(400, 2, 1), {.graph = GraphKind::Full}, little); });
  const Array2<double> two = weights_of(copies(complete_graph(200), 2));
  expect_error(ErrorKind::OutOfMemory, "the weights of all pairs",
               [&] { laplacian_eigenmaps(two, {.weights = EdgeWeights::Precomputed}, {.memory_budget = 1'500'000}); });
}

TEST(LaplacianEigenmaps, AsymmetricWeights) {
  const LaplacianOptions given{.weights = EdgeWeights::Precomputed};
  const Array2<double> even = distances_between(normal_matrix(20, 2, 1));
  const Model symmetric = laplacian_eigenmaps(even, given);
  EXPECT_FALSE(has_warning(symmetric, "asymmetric-weights"));
  const auto uneven = [&](double by) {
    Array2<double> w = even;
    w(3, 5) *= 1 + by;
    return w;
  };
  for (const bool sparse : {false, true}) {
    const auto fit = [&](const Array2<double>& w) {
      return sparse ? laplacian_eigenmaps(SparseSimilarities(sparse_of(w)), given) : laplacian_eigenmaps(w, given);
    };
    EXPECT_FALSE(has_warning(fit(uneven(1e-13)), "asymmetric-weights"));
    const Model averaged = fit(uneven(4e-9));
    ASSERT_TRUE(has_warning(averaged, "asymmetric-weights"));
    EXPECT_NE(averaged.embedding().warnings[0].message.find(" in row "), std::string::npos);
    EXPECT_LT(relative_difference(averaged.coordinates(), symmetric.coordinates()), 1e-6);
    EXPECT_TRUE(has_warning(fit(uneven(1e-6)), "asymmetric-weights"));
  }
  Array2<double> one_way(3, 3);
  one_way(0, 1) = one_way(1, 0) = 1, one_way(1, 2) = 0.25;
  EXPECT_NE(laplacian_eigenmaps(SparseSimilarities(sparse_of(one_way)), given)
                .embedding()
                .warnings[0]
                .message.find("in row 2, column 3 is 0.25, but 0 the other way"),
            std::string::npos);
  // Rounding of entries that would be 0 is no asymmetry.
  Array2<double> noise = even;
  noise(3, 5) = 1e-17, noise(5, 3) = 0;
  EXPECT_NO_THROW(laplacian_eigenmaps(noise, given));
}

TEST(LaplacianEigenmaps, TheUnitOfGivenWeightsDoesNotMatter) {
  const Array2<double> w = weights_of(random_graph(30, 0.2, 1));
  for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized}) {
    const LaplacianOptions given{.weights = EdgeWeights::Precomputed, .laplacian = laplacian};
    const Model plain = laplacian_eigenmaps(w, given);
    for (const double unit : {0x1p-997, 0x1p1000}) {
      Array2<double> scaled = w;
      for (Index i = 0; i < w.size(); ++i) scaled.data()[i] *= unit;
      for (const Model& model :
           {laplacian_eigenmaps(scaled, given), laplacian_eigenmaps(SparseSimilarities(sparse_of(scaled)), given)}) {
        EXPECT_LT(relative_difference(model.coordinates(), plain.coordinates()), 1e-9);
        EXPECT_LT(relative_difference(model.transform(scaled), plain.coordinates()), 1e-6);
        const double factor = laplacian == Laplacian::Unnormalized ? unit : 1;
        for (std::size_t k = 0; k < 2; ++k)
          EXPECT_NEAR(model.embedding().spectrum.values[k] / factor / plain.embedding().spectrum.values[k], 1, 1e-9);
      }
    }
  }
  Array2<double> largest(3, 3);
  largest(0, 1) = largest(1, 0) = largest(1, 2) = largest(2, 1) = 1.7e308;
  const LaplacianOptions given{.n_components = 1, .weights = EdgeWeights::Precomputed};
  EXPECT_NEAR(laplacian_eigenmaps(largest, given).embedding().spectrum.values[0], 1, 1e-12);
  expect_error(ErrorKind::InvalidData, "overflow (above 1.8e308)", [&] {
    laplacian_eigenmaps(largest,
                        {.n_components = 2, .weights = EdgeWeights::Precomputed, .laplacian = Laplacian::Unnormalized});
  });
}

TEST(LaplacianEigenmaps, TrainingRowsOfGivenWeightsMayHaveADiagonal) {
  Array2<double> w = distances_between(normal_matrix(40, 3, 2));
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) w(i, j) = std::exp(-w(i, j));  // 1 on the diagonal, as of a kernel
  Array2<double> bare = w;
  for (Index i = 0; i < 40; ++i) bare(i, i) = 0;
  for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized}) {
    const LaplacianOptions given{.weights = EdgeWeights::Precomputed, .laplacian = laplacian};
    const Model model = laplacian_eigenmaps(w, given);
    EXPECT_EQ(model.coordinates(), laplacian_eigenmaps(bare, given).coordinates());
    const Array2<double> placed = model.transform(w);
    EXPECT_LT(relative_difference(placed, model.coordinates()), 1e-6);
    EXPECT_EQ(model.transform(rows_of(w, 7, 1)), rows_of(placed, 7, 1));
    EXPECT_LT(relative_difference(laplacian_eigenmaps(SparseSimilarities(sparse_of(w)), given).transform(w), placed),
              1e-6);
    const ScratchFolder folder;
    model.save(folder / "m.unroll");
    EXPECT_EQ(load_model(folder / "m.unroll").transform(w), placed);
    // A row that is nobody's keeps all it has.
    Array2<double> fresh = rows_of(w, 7, 1);
    fresh(0, 8) += 0.5;
    EXPECT_EQ(model.transform(fresh), laplacian_eigenmaps(bare, given).transform(fresh));
  }
}

// exp(-37.8^2 / 2) is near the smallest double: degrees of the far points have no inverse.
TEST(LaplacianEigenmaps, WeightsThatNearlyVanishGetAHint) {
  Array2<double> x(40, 1);
  for (Index i = 0; i < 40; ++i) x(i, 0) = static_cast<double>(i) + (i < 34 ? 0 : 37.8 * static_cast<double>(i - 33));
  for (const Laplacian laplacian : {Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized})
    for (const EigenSolver solver : {EigenSolver::Auto, EigenSolver::Dense})
      expect_error(ErrorKind::InvalidData, "sigma=1 makes all weights of 6 points zero; try sigma=", [&] {
        laplacian_eigenmaps(x, {.n_neighbors = 2, .sigma = 1.0, .laplacian = laplacian, .eigen_solver = solver});
      });
}

// A cycle of four: the degree of every point is the eigenvalue, so that d - lambda is rounding.
TEST(LaplacianEigenmaps, ADegreeThatIsAnEigenvaluePlacesNoNewPoint) {
  const std::vector<double> square{1, 0, 0, 1, -1, 0, 0, -1};
  const Model model = laplacian_eigenmaps(
      {square, 2}, {.n_neighbors = 2, .weights = EdgeWeights::Binary, .laplacian = Laplacian::Unnormalized});
  EXPECT_LT(relative_difference(model.transform({square, 2}), model.coordinates()), 1e-12);
  const std::vector<double> near{1.01, 0.02};
  expect_error(ErrorKind::InvalidData, "row 1 has weights that add up to 2, not more than the eigenvalue 2", [&] {
    model.transform({near, 2});
  });
}

}  // namespace
}  // namespace unroll
