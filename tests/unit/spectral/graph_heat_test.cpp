#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "graph/heat_series.h"
#include "support/eigen_reference.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/spectra.h"
#include "support/weighted_graphs.h"
#include "unroll/methods/kernel_pca.h"

namespace unroll {
namespace {

constexpr std::array kLaplacians{Laplacian::RandomWalk, Laplacian::Symmetric, Laplacian::Unnormalized};

/// D^a M D^b of the degrees D, where 0 to any power is 0.
Array2<double> scaled_by_degrees(const Graph& g, Array2<double> m, double a, double b) {
  const std::vector<double> degree = degrees(g);
  const auto power = [&](Index i, double exponent) {
    const double d = degree[static_cast<std::size_t>(i)];
    return d > 0 ? std::pow(d, exponent) : 0;
  };
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) m(i, j) *= power(i, a) * power(j, b);
  return m;
}

Array2<double> full_laplacian(const Graph& g, Laplacian kind) {
  Array2<double> l = weights_of(g);
  for (Index i = 0; i < l.size(); ++i) l.data()[i] = -l.data()[i];
  for (Index i = 0; i < g.size; ++i) l(i, i) += degrees(g)[static_cast<std::size_t>(i)];
  if (kind == Laplacian::Unnormalized) return l;
  return kind == Laplacian::Symmetric ? scaled_by_degrees(g, l, -0.5, -0.5) : scaled_by_degrees(g, l, -1, 0);
}

/// f(A) by all eigenpairs of a symmetric matrix, which another library finds.
template <class F>
Array2<double> function_of(const Array2<double>& symmetric, F&& f) {
  const ReferencePairs pairs = pairs_by_eigen(symmetric);
  Array2<double> scaled = pairs.vectors;
  for (Index k = 0; k < scaled.rows(); ++k)
    for (Index i = 0; i < scaled.cols(); ++i) scaled(k, i) *= f(pairs.values[static_cast<std::size_t>(k)]);
  return product(transposed(pairs.vectors), scaled);
}

/// exp(-t L).
Array2<double> exponential(const Graph& g, Laplacian kind, double t) {
  const Array2<double> l = full_laplacian(g, kind);
  double zero = 0;
  for (Index i = 0; i < g.size; ++i) zero = std::max(zero, 1e-12 * l(i, i));  // t times its rounding would count
  const auto decay = [&](double lambda) { return lambda > zero ? std::exp(-t * lambda) : 1; };
  if (kind != Laplacian::RandomWalk) return function_of(l, decay);
  return scaled_by_degrees(g, function_of(full_laplacian(g, Laplacian::Symmetric), decay), -0.5, 0.5);
}

/// Largest entry of |a - b|.
double difference(const Array2<double>& a, const Array2<double>& b) {
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_EQ(a.cols(), b.cols());
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}

/// |a - b| / |scale| of a column.
double column_difference(const Array2<double>& a, const Array2<double>& b, const Array2<double>& scale, Index column) {
  double apart = 0, size = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    apart += std::pow(a(i, column) - b(i, column), 2);
    size += std::pow(scale(i, column), 2);
  }
  return std::sqrt(apart / size);
}

WeightedGraph given_path(Index n) {
  SparseMatrix w{.rows = n, .cols = n};
  for (Index i = 0; i < n; ++i) {
    for (const Index j : {i - 1, i + 1})
      if (j >= 0 && j < n) w.columns.push_back(j);
    w.offsets.push_back(std::ssize(w.columns));
  }
  w.values.assign(w.columns.size(), 1.0);
  return weighted_graph(SparseSimilarities(w), {.weights = EdgeWeights::Precomputed});
}

TEST(HeatCoefficients, AreBesselFunctionsThatAddUpToOne) {
  for (const double z : {1e-8, 0.3, 1.0, 7.5, 60.0, 500.0}) {
    const std::vector<double> c = heat_coefficients(z);
    double sum = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      sum += c[k];
      EXPECT_GT(c[k], 0);
      EXPECT_NEAR(c[k], (k == 0 ? 1 : 2) * std::exp(-z) * std::cyl_bessel_i(static_cast<double>(k), z), 2e-14) << z;
    }
    EXPECT_NEAR(sum, 1, 2e-14);
  }
  for (const double z : {1e3, 1e6, 1e8}) {
    const std::vector<double> c = heat_coefficients(z);
    EXPECT_LT(static_cast<double>(c.size()), 8.5 * std::sqrt(z));
    EXPECT_NEAR(c[0] * std::sqrt(2 * std::numbers::pi * z), 1 + 1 / (8 * z), 0.08 / (z * z) + 1e-10);
  }
}

TEST(HeatCoefficients, OfTinyTimesAreNumbers) {
  for (int k = 0; k <= 308; ++k)
    for (const double z : {std::pow(10, -k), 0.0}) {
      const std::vector<double> c = heat_coefficients(z);
      EXPECT_NEAR(c[0], z < 0.1 ? 1 - z + 0.75 * z * z : std::exp(-z) * std::cyl_bessel_i(0, z), z * z * z + 2e-14)
          << z;
      double sum = 0;
      for (const double value : c) sum += value;
      EXPECT_NEAR(sum, 1, 2e-14) << z;
    }
}

TEST(Heat, TinyTimesAndTinyWeightsAreNumbers) {
  Array2<double> f(12, 1);
  f(3, 0) = 1;
  for (const double scale : {1.0, 1e-150, 1e-308, 1e300})
    for (const double t : {0.0, 1e-300, 1e-150, 1e-20, 1e-10, 1.0, 1e150, 1e308}) {
      Graph g = path_graph(12);
      for (Edge& edge : g.edges) edge.weight *= scale;
      const double time = t * scale;
      const Heat heat = heat_diffusion(given(g), f, t);
      const Array2<double> kernel = diffusion_kernel(given(g), t);
      double sum = 0;
      for (Index i = 0; i < 12; ++i) {
        sum += heat.values(i, 0);
        EXPECT_NEAR(heat.values(i, 0), kernel(i, 3), 1e-12) << scale << " " << t;
        const double expected = time > 1e9 ? 1.0 / 12 : time < 1e-9 ? f(i, 0) : heat.values(i, 0);
        EXPECT_NEAR(heat.values(i, 0), expected, 1e-12 + (time < 1e-9 ? 2.1 * time : 0)) << scale << " " << t;
      }
      EXPECT_NEAR(sum, 1, 1e-12) << scale << " " << t;
    }
}

TEST(Heat, IsTheExponential) {
  for (const double scale : {1.0, 1e6, 1e-6})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Graph g = random_graph(50, 0.02 + 0.1 * static_cast<double>(seed), seed);
      for (Edge& edge : g.edges) edge.weight *= scale;
      const Array2<double> f = normal_matrix(50, 11, seed);
      for (const Laplacian kind : kLaplacians)
        for (const double t : {0.0, 1e-3, 0.7, 30.0, 2e3}) {
          const double time = kind == Laplacian::Unnormalized ? t / scale : t;
          const double tolerance = t < 1e3 ? 1e-12 : 1e-11;  // a thousand terms, each rounded
          const Array2<double> expected = product(exponential(g, kind, time), f);
          for (const bool sparse : {true, false}) {
            const Heat found = heat_diffusion(given(g, sparse), f, time, kind);
            for (Index k = 0; k < f.cols(); ++k)
              EXPECT_LE(column_difference(found.values, expected, f, k), tolerance)
                  << name_of(kind) << " " << t << " " << sparse << " " << scale;
          }
        }
    }
}

TEST(Heat, ARowThatIsNotFiniteIsNamed) {
  Array2<double> f = normal_matrix(20, 2, 1);
  f(4, 1) = NAN;
  expect_error_of_row(ErrorKind::InvalidData, 4, "row 5 has the value NaN in column 2",
                      [&] { heat_diffusion(given(complete_graph(20)), f, 0.05); });
}

TEST(Heat, OfACompleteGraphAndOfACosine) {
  const Array2<double> f = normal_matrix(20, 1, 1);
  double mean = 0;
  for (Index i = 0; i < 20; ++i) mean += f(i, 0) / 20;
  const Heat found = heat_diffusion(given(complete_graph(20)), f, 0.05);
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(found.values(i, 0), mean + std::exp(-1.0) * (f(i, 0) - mean), 1e-13);

  Array2<double> wave(64, 1);
  for (Index i = 0; i < 64; ++i) wave(i, 0) = std::cos(3 * std::numbers::pi * (static_cast<double>(i) + 0.5) / 64);
  const double lambda = 2 - 2 * std::cos(3 * std::numbers::pi / 64);
  const Heat later = heat_diffusion(given(path_graph(64)), wave, 40);
  for (Index i = 0; i < 64; ++i) EXPECT_NEAR(later.values(i, 0), std::exp(-40 * lambda) * wave(i, 0), 1e-13);
}

TEST(Heat, IsNeitherMadeNorLost) {
  const Graph g = random_graph(300, 0.01, 5);
  const WeightedGraph graph = given(g);
  Array2<double> f(300, 1);
  f(17, 0) = 1;
  for (const double t : {0.1, 10.0, 1e4, 1e6}) {
    const Heat plain = heat_diffusion(graph, f, t), walk = heat_diffusion(graph, f, t, Laplacian::RandomWalk);
    double sum = 0, weighted = 0;
    for (Index i = 0; i < 300; ++i) {
      sum += plain.values(i, 0);
      weighted += walk.values(i, 0) * graph.degrees()[static_cast<std::size_t>(i)];
      EXPECT_GT(plain.values(i, 0), -1e-13);
    }
    EXPECT_NEAR(sum, 1, 1e-12) << t;
    EXPECT_NEAR(weighted, graph.degrees()[17], 1e-12 * graph.degrees()[17]) << t;
  }
  const Heat last = heat_diffusion(graph, f, 1e6);
  for (Index i = 0; i < 300; ++i) EXPECT_NEAR(last.values(i, 0), 1.0 / 300, 1e-12);
}

TEST(Heat, TwoTimesAreTheirSum) {
  const WeightedGraph graph = given(random_graph(120, 0.03, 8));
  const Array2<double> f = normal_matrix(120, 3, 2);
  for (const Laplacian kind : kLaplacians) {
    const Array2<double> twice = heat_diffusion(graph, heat_diffusion(graph, f, 0.4, kind).values, 2.2, kind).values;
    EXPECT_LT(relative_difference(twice, heat_diffusion(graph, f, 2.6, kind).values), 1e-12);
  }
}

TEST(Heat, StaysInItsComponentAndAtPointsWithoutEdges) {
  Graph g = copies(cycle_graph(6), 2);
  g.size = 13;
  const WeightedGraph graph = given(g);
  Array2<double> f(13, 1);
  f(2, 0) = 1;
  f(12, 0) = 5;
  for (const Laplacian kind : kLaplacians) {
    const Heat found = heat_diffusion(graph, f, 100, kind);
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(found.values(i, 0), 1.0 / 6, 1e-12);
    for (Index i = 6; i < 12; ++i) EXPECT_NEAR(found.values(i, 0), 0, 1e-14);
    EXPECT_NEAR(found.values(12, 0), 5, 1e-14);
  }
}

TEST(Heat, SameBitsAtAnyThreadCount) {
  const WeightedGraph graph = weighted_graph(normal_matrix(6000, 2, 3), {.n_neighbors = 6});
  const Array2<double> f = normal_matrix(6000, 2, 4);
  const Array2<double> expected = heat_diffusion(graph, f, 3, Laplacian::RandomWalk, {.threads = 1}).values;
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(heat_diffusion(graph, f, 3, Laplacian::RandomWalk, {.threads = threads}).values, expected);
}

TEST(Heat, Errors) {
  const WeightedGraph graph = given(path_graph(5));
  const Array2<double> f(5, 1), few(4, 1);
  expect_error(ErrorKind::InvalidData, "4 values for 5 points", [&] { heat_diffusion(graph, few, 1); });
  expect_error(ErrorKind::InvalidOption, "heat: t=-1", [&] { heat_diffusion(graph, f, -1); });
  const Array2<double> many(6000, 1);
  expect_error(ErrorKind::InvalidOption, "use t=7e+07 or less", [&] { heat_diffusion(given_path(6000), many, 1e300); });
  Array2<double> large(5, 1);
  for (Index i = 0; i < 5; ++i) large(i, 0) = 1.7e308;
  expect_error(ErrorKind::InvalidData, "divide the values", [&] { heat_diffusion(graph, large, 1); });
  expect_error(ErrorKind::InvalidOption, "no kernel", [&] { diffusion_kernel(graph, 1, Laplacian::RandomWalk); });
  expect_error(ErrorKind::InvalidOption, "beta=nan", [&] { diffusion_kernel(graph, NAN); });
  expect_error(ErrorKind::OutOfMemory, "diffusion_kernel", [&] {
    diffusion_kernel(given(path_graph(2000)), 1, Laplacian::Unnormalized, {.memory_budget = 1 << 20});
  });
}

TEST(Heat, OfLongTimesByEigenpairs) {
  const Graph g = random_graph(40, 0.05, 3);
  const Array2<double> f = normal_matrix(40, 3, 1);
  for (const Laplacian kind : kLaplacians)
    for (const double t : {1e6, 1e9, 1e12, 1e300}) {
      const Heat found = heat_diffusion(given(g), f, t, kind);
      EXPECT_EQ(found.products, 0);
      EXPECT_LE(difference(found.values, product(exponential(g, kind, t), f)), 1e-11) << name_of(kind) << " " << t;
    }
}

TEST(Heat, CrossesAThinBridgeInItsOwnTime) {
  Graph g = copies(complete_graph(20), 2);
  for (const double weight : {1e-9, 1e-13, 1e-16}) {
    g.edges.push_back({3, 25, weight});
    Array2<double> f(40, 1);
    for (Index i = 0; i < 20; ++i) f(i, 0) = 1;
    const double t = 10 / weight;  // lambda_2 is weight / 10: heat has come 1 / e of its way to the mean
    const Heat heat = heat_diffusion(given(g), f, t);
    const Array2<double> kernel = diffusion_kernel(given(g), t);
    EXPECT_NEAR(heat.values(0, 0), 0.5 + 0.5 * std::exp(-1.0), 1e-9) << weight;
    EXPECT_NEAR(heat.values(39, 0), 0.5 - 0.5 * std::exp(-1.0), 1e-9) << weight;
    EXPECT_NEAR(20 * kernel(0, 19), heat.values(0, 0), 1e-9) << weight;
    g.edges.pop_back();
  }
}

TEST(Kernel, ExponentialBySeriesAndByEigenpairs) {
  const Graph g = random_graph(70, 0.05, 6);
  for (const Laplacian kind : {Laplacian::Symmetric, Laplacian::Unnormalized})
    for (const double beta : {0.1, 5.0, 1e5}) {  // the last takes more operations by products
      const Array2<double> found = diffusion_kernel(given(g), beta, kind);
      EXPECT_LT(difference(found, exponential(g, kind, beta)), 1e-12) << beta;
      EXPECT_EQ(found, transposed(found));
    }
  const Array2<double> parts = diffusion_kernel(given(copies(cycle_graph(4), 2)), 1e6);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j) EXPECT_NEAR(parts(i, j), i / 4 == j / 4 ? 0.25 : 0, 1e-12);
}

TEST(Kernel, PseudoInverse) {
  const Graph g = random_graph(60, 0.05, 7);
  for (const Laplacian kind : {Laplacian::Symmetric, Laplacian::Unnormalized}) {
    const Array2<double> expected =
        function_of(full_laplacian(g, kind), [](double lambda) { return lambda > 1e-9 ? 1 / lambda : 0; });
    for (const bool sparse : {true, false}) {
      const Array2<double> found = laplacian_inverse(given(g, sparse), kind);
      EXPECT_LT(relative_difference(found, expected), 1e-11);
      EXPECT_EQ(found, transposed(found));
    }
  }
  Graph apart = copies(path_graph(3), 2);
  apart.size = 7;  // and a point without edges
  const Array2<double> k = laplacian_inverse(given(apart)), l = full_laplacian(apart, Laplacian::Unnormalized);
  EXPECT_LT(difference(product(product(l, k), l), l), 1e-13);
  EXPECT_LT(difference(product(product(k, l), k), k), 1e-13);
  for (Index j = 0; j < 7; ++j) EXPECT_NEAR(k(6, j), 0, 1e-14);
}

/// Resistances between the points of a network of unit resistors; times the volume, commute times.
double resistance(const Array2<double>& k, Index i, Index j) { return k(i, i) + k(j, j) - 2 * k(i, j); }

TEST(Kernel, CommuteTimes) {
  const Array2<double> path = laplacian_inverse(given(path_graph(30)));
  const Array2<double> cycle = laplacian_inverse(given(cycle_graph(30)));
  const Array2<double> complete = laplacian_inverse(given(complete_graph(30)));
  const Array2<double> star = laplacian_inverse(given(star_graph(30)));
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < i; ++j) {
      const auto steps = static_cast<double>(i - j);
      EXPECT_NEAR(resistance(path, i, j), steps, 1e-11);
      EXPECT_NEAR(resistance(cycle, i, j), steps * (30 - steps) / 30, 1e-12);
      EXPECT_NEAR(resistance(complete, i, j), 2.0 / 30, 1e-14);
      EXPECT_NEAR(resistance(star, i, j), j == 0 ? 1 : 2, 1e-13);
    }
}

TEST(Kernel, ResistanceOfAThinBridge) {
  for (const double weight : {1e-6, 1e-12, 1e-14, 1e-18, 1e-100, 1e-300}) {
    Graph g = copies(complete_graph(20), 2);
    g.edges.push_back({3, 25, weight});
    for (const bool sparse : {true, false}) {
      const WeightedGraph graph = given(g, sparse);
      const Array2<double> plain = laplacian_inverse(graph);
      // A clique of 20 unit wires adds 2 / 20 between two of its points.
      EXPECT_NEAR(resistance(plain, 3, 25) * weight, 1, 1e-13) << weight;
      EXPECT_NEAR(resistance(plain, 0, 39) * weight, 1 + 0.2 * weight, 1e-13) << weight;
      EXPECT_NEAR(plain(0, 0) * weight, 0.25, weight + 1e-13);
      EXPECT_NEAR(plain(0, 39) * weight, -0.25, weight + 1e-13);
      // Of I - D^-1/2 W D^-1/2 the largest eigenvalue is 1 / lambda_2, and the trace is hardly more.
      const Array2<double> symmetric = laplacian_inverse(graph, Laplacian::Symmetric);
      double trace = 0;
      for (Index i = 0; i < 40; ++i) trace += symmetric(i, i);
      EXPECT_NEAR(trace * 2 * weight / 380, 1, weight + 1e-12) << weight;
    }
  }
}

TEST(Kernel, PseudoInverseOfManyPanels) {
  const Graph g = random_graph(300, 0.02, 5);
  const Array2<double> l = full_laplacian(g, Laplacian::Unnormalized);
  const Array2<double> k = laplacian_inverse(given(g), Laplacian::Unnormalized, {.threads = 1});
  EXPECT_LT(difference(product(product(l, k), l), l), 1e-12);
  for (Index i = 0; i < k.rows(); ++i) EXPECT_NEAR(std::accumulate(k.row(i), k.row(i) + k.cols(), 0.0), 0, 1e-12);
  for (const int threads : {2, 3})
    EXPECT_EQ(laplacian_inverse(given(g), Laplacian::Unnormalized, {.threads = threads}), k);
}

TEST(Kernel, PseudoInverseOfTinyAndHugeWeights) {
  const Array2<double> plain = laplacian_inverse(given(path_graph(12)));
  const Array2<double> symmetric = laplacian_inverse(given(path_graph(12)), Laplacian::Symmetric);
  for (const int exponent : {-1000, -300, 300, 1000}) {
    Graph g = path_graph(12);
    for (Edge& edge : g.edges) edge.weight = std::ldexp(1, exponent);
    const Array2<double> found = laplacian_inverse(given(g));
    EXPECT_EQ(laplacian_inverse(given(g), Laplacian::Symmetric), symmetric);
    for (Index e = 0; e < found.size(); ++e) EXPECT_EQ(found.data()[e], std::ldexp(plain.data()[e], -exponent));
  }
  Graph g = path_graph(12);
  for (Edge& edge : g.edges) edge.weight = 1e-308;
  expect_error(ErrorKind::InvalidData, "inverse: entries of the pseudo-inverse or their sums overflow (above 1.8e308)",
               [&] { laplacian_inverse(given(g)); });
  g = path_graph(4);
  g.edges[2].weight = 1e-320;
  expect_error_of_row(ErrorKind::InvalidData, 3, "row 4 has edges of so little weight",
                      [&] { laplacian_inverse(given(g), Laplacian::Symmetric); });
}

TEST(Kernel, KernelPcaOfThePseudoInverseInvertsTheSpectrum) {
  const std::vector<double> lambda = grid_spectrum(7, 5);
  const Array2<double> kernel = laplacian_inverse(given(grid_graph(7, 5)));
  const Model model = kernel_pca(kernel, {.n_components = 6, .kernel = Kernel::Precomputed});
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(model.embedding().spectrum.values[k], 1 / lambda[k + 1], 1e-11);
  const Model heat =
      kernel_pca(diffusion_kernel(given(grid_graph(7, 5)), 2), {.n_components = 6, .kernel = Kernel::Precomputed});
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(heat.embedding().spectrum.values[k], std::exp(-2 * lambda[k + 1]), 1e-12);
}

}  // namespace
}  // namespace unroll
