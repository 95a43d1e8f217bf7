#include "layout/umap_density.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/fuzzy_set.h"
#include "affinity/local_radius.h"
#include "layout/umap_layout.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

/// Half of the points vary ten times as much as the others, which are far from them.
Array2<double> dense_and_sparse(Index n) {
  Array2<double> x = normal_matrix(n, 3, 1);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < 3; ++k) x(i, k) = i % 2 == 0 ? 10 * x(i, k) : x(i, k) + 100;
  return x;
}

struct DensityCase {
  explicit DensityCase(Index n) : nearest(neighbors(dense_and_sparse(n), {.n_neighbors = 10}).graph) {
    graph = fuzzy_set(nearest, {}, {});
    settings.curve = fit_umap_curve(0.1, 1);
    settings.density = {2, 0.3, 0.1, log_radii(graph, nearest, {})};
  }
  NeighborGraph nearest;
  SparseMatrix graph;
  UmapSettings settings;
};

TEST(UmapDensity, TheMapIsDenseWhereTheDataAre) {
  DensityCase of(600);
  const auto correlation = [&] {
    UmapLayout layout(of.graph, normal_matrix(600, 2, 2), {}, of.settings, {});
    layout.step(of.settings.n_epochs, {});
    return layout.radius_correlation({});
  };
  EXPECT_GT(correlation(), 0.8);
  of.settings.density.strength = 0;
  EXPECT_LT(correlation(), 0.5);
}

TEST(UmapDensity, SameBytesAtAnyThreadCountAndAfterAStop) {
  const DensityCase of(1500);
  const auto start = normal_matrix(1500, 2, 2);
  UmapLayout one(of.graph, start, {}, of.settings, {.threads = 1});
  one.step(200, {.threads = 1});
  UmapLayout first(of.graph, start, {}, of.settings, {.threads = 3});
  first.step(170, {.threads = 3});  // densities count from epoch 140 on
  UmapLayout second(of.graph, first.coordinates(), first.state(), of.settings, {.threads = 8});
  second.step(200, {.threads = 8});
  EXPECT_EQ(second.coordinates(), one.coordinates());
}

/// The move of an edge is the derivative of lambda times the correlation, with s^2 = variance + shift and covariance by
/// n - 1 as umap-learn has them; without a shift that is Pearson's correlation up to 1 / n.
TEST(UmapDensity, FactorsAreTheDerivativeOfTheCorrelation) {
  const Index n = 60;
  const UmapCurve curve = fit_umap_curve(0.1, 1);
  const SparseMatrix graph = fuzzy_set(neighbors(normal_matrix(n, 3, 1), {.n_neighbors = 6}).graph, {}, {});
  std::vector<std::int32_t> targets(graph.columns.begin(), graph.columns.end());
  const std::vector<std::uint32_t> rates(targets.size(), 1);
  std::vector<double> radii;
  for (Index i = 0; i < n; ++i) radii.push_back(normal_matrix(n, 1, 7)(i, 0));
  std::vector<float> map;
  for (Index i = 0; i < 2 * n; ++i) map.push_back(static_cast<float>(normal_matrix(n, 2, 2).data()[i]));
  UmapDensity density(radii, 1, 0);
  const auto look = [&] {
    density.look_at({.dims = 2, .map = map, .offsets = graph.offsets, .targets = targets, .rates = rates}, curve, {});
    return density.correlation();
  };
  for (const std::size_t moved : {0U, 5U, 33U}) {
    look();
    // What both directions of all edges of the point add up to.
    double slope = 0;
    const auto& factors = density.factors();
    for (Index e = graph.offsets[moved / 2]; e < graph.offsets[moved / 2 + 1]; ++e) {
      const auto i = moved / 2, j = static_cast<std::size_t>(targets[static_cast<std::size_t>(e)]);
      const auto x = static_cast<double>(map[2 * i] - map[2 * j]),
                 y = static_cast<double>(map[2 * i + 1] - map[2 * j + 1]);
      const double square = x * x + y * y, v = 1 / (1 + curve.a * std::pow(square, curve.b));
      const double half = curve.a * curve.b * std::pow(square, curve.b - 1) * v;
      const double by_square = v * (static_cast<double>(factors[2 * i] + factors[2 * j]) * (1 - curve.b * (1 - v)) +
                                    static_cast<double>(factors[2 * i + 1] + factors[2 * j + 1]) * half);
      slope += 2 * by_square * 2 * (moved % 2 == 0 ? x : y);
    }
    slope *= static_cast<double>(density.strength()) / static_cast<double>(rates.size());
    const float place = map[moved], step = 1.0F / 128;
    map[moved] = place + step;
    const double after = look();
    map[moved] = place - step;
    const double before = look();
    map[moved] = place;
    const double measured = (after - before) / (2 * static_cast<double>(step));
    EXPECT_NEAR(slope, measured, 0.03 * std::abs(measured) + 2e-4) << moved;
  }
}

/// Equal radii, and points without edges, have no density to keep.
TEST(UmapDensity, IsDefinedWithoutDifferences) {
  const SparseMatrix w{.rows = 4, .cols = 4, .offsets = {0, 1, 2, 2, 2}, .columns = {1, 0}, .values = {1, 1}};
  const NeighborGraph nearest{.offsets = {0, 1, 2, 2, 2}, .neighbors = {1, 0}, .distances = {2, 2}};
  UmapSettings settings{.n_epochs = 50, .density = {2, 1, 0, log_radii(w, nearest, {})}};
  UmapLayout layout(w, normal_matrix(4, 2, 2), {}, settings, {});
  layout.step(50, {});
  for (Index i = 0; i < 8; ++i) EXPECT_TRUE(std::isfinite(layout.coordinates().data()[i]));
  EXPECT_EQ(layout.radius_correlation({}), 0);
}

}  // namespace
}  // namespace unroll
