#include "layout/umap_layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/fuzzy_set.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

class UmapLayouts : public testing::Test {
 protected:
  static SparseMatrix graph(Index n, Index k = 10) {
    return fuzzy_set(neighbors(normal_matrix(n, 3, 1), {.n_neighbors = k}).graph, {}, {});
  }
  static Array2<double> start(Index n, Index dims = 2) {
    Array2<double> map = normal_matrix(n, dims, 2);
    for (Index i = 0; i < map.size(); ++i) map.data()[i] *= 3;
    return map;
  }
  static UmapSettings settings(Index epochs) {
    return {.n_epochs = epochs, .curve = fit_umap_curve(0.1, 1), .seed = 5};
  }
  static Array2<double> straight(const SparseMatrix& w, Index dims, Index epochs, const unroll::Run& run = {}) {
    UmapLayout layout(w, start(w.rows, dims), {}, settings(epochs), run);
    layout.step(epochs, run);
    return layout.coordinates();
  }
};

TEST_F(UmapLayouts, SameBytesAtAnyThreadCount) {
  const SparseMatrix w = graph(3000);
  for (const Index dims : {2, 3}) {
    const Array2<double> one = straight(w, dims, 20, {.threads = 1});
    for (const int threads : {2, 3, 8}) EXPECT_EQ(straight(w, dims, 20, {.threads = threads}), one) << threads;
  }
}

TEST_F(UmapLayouts, StopsAndGoesOnWithoutATrace) {
  const SparseMatrix w = graph(300);
  UmapLayout layout(w, start(300), {}, settings(30), {});
  layout.step(7, {});
  EXPECT_EQ(layout.iteration(), 7);
  UmapLayout other(w, layout.coordinates(), layout.state(), settings(30), {});
  other.step(11, {});
  other.step(1000, {});
  EXPECT_TRUE(other.is_converged());
  EXPECT_EQ(other.iteration(), 30);
  EXPECT_EQ(other.coordinates(), straight(w, 2, 30));
}

TEST_F(UmapLayouts, TheLossFalls) {
  const SparseMatrix w = graph(1000);
  UmapLayout layout(w, start(1000), {}, settings(100), {});
  const double before = layout.loss();
  layout.step(100, {});
  EXPECT_LT(layout.loss(), 0.8 * before);
}

/// Neighbours of the graph end up nearer than others.
TEST_F(UmapLayouts, NeighborsComeNear) {
  const Index n = 600;
  const SparseMatrix w = graph(n);
  const Array2<double> y = straight(w, 2, 200);
  const auto distance = [&](Index i, Index j) { return std::hypot(y(i, 0) - y(j, 0), y(i, 1) - y(j, 1)); };
  double near = 0, far = 0, weight = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index e = w.offsets[static_cast<std::size_t>(i)]; e < w.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      near += w.values[static_cast<std::size_t>(e)] * distance(i, w.columns[static_cast<std::size_t>(e)]);
      weight += w.values[static_cast<std::size_t>(e)];
    }
    far += distance(i, (i * 7 + 300) % n) / static_cast<double>(n);
  }
  EXPECT_LT(near / weight, 0.3 * far);
}

/// Two points and one edge: the pull ends where the push of the other balances it, whatever the start.
TEST_F(UmapLayouts, TwoPointsAreDefined) {
  const SparseMatrix w{.rows = 2, .cols = 2, .offsets = {0, 1, 2}, .columns = {1, 0}, .values = {1, 1}};
  const Array2<double> y = straight(w, 2, 500);
  for (Index i = 0; i < y.size(); ++i) EXPECT_TRUE(std::isfinite(y.data()[i]));
  EXPECT_LT(std::hypot(y(0, 0) - y(1, 0), y(0, 1) - y(1, 1)), 5);
}

TEST_F(UmapLayouts, PointsWithoutEdgesStay) {
  const SparseMatrix w{.rows = 3, .cols = 3, .offsets = {0, 1, 2, 2}, .columns = {1, 0}, .values = {1, 1}};
  const Array2<double> y = straight(w, 2, 50), before = start(3);
  for (Index k = 0; k < 2; ++k) EXPECT_EQ(y(2, k), static_cast<double>(static_cast<float>(before(2, k))));
  const SparseMatrix none{.rows = 3, .cols = 3, .offsets = {0, 0, 0, 0}};
  EXPECT_EQ(straight(none, 2, 50).rows(), 3);
}

TEST_F(UmapLayouts, TooLongStepsAreAnErrorInWords) {
  const SparseMatrix w = graph(100);
  UmapSettings far = settings(20);
  far.learning_rate = 1e300;
  UmapLayout layout(w, start(100), {}, far, {});
  expect_error(ErrorKind::NotConverged, "the map left the range of numbers", [&] { layout.step(20, {}); });
}

/// An edge takes part in as many epochs as its weight says, evenly: a weak one for the first time when its weight has
/// summed up to 1. Two points far from all others and no pushes: what the map does is the pull of one edge.
TEST_F(UmapLayouts, EdgesTakePartByTheirWeight) {
  EXPECT_EQ(umap_rate(1.0 / 300, 200), 0U);
  EXPECT_GT(umap_rate(1.0 / 200, 200), 0U);
  EXPECT_EQ(umap_rate(1, 200), 0xFFFFFFFFU);
  const SparseMatrix w{
      .rows = 4, .cols = 4, .offsets = {0, 1, 2, 3, 4}, .columns = {1, 0, 3, 2}, .values = {1, 1, 0.3, 0.3}};
  UmapSettings alone = settings(1000);
  alone.negative_sample_rate = 0, alone.learning_rate = 1e-3;
  UmapLayout layout(w, start(4), {}, alone, {});
  layout.step(0, {});  // in single precision
  std::vector<Index> strong, weak;
  for (Index epoch = 0; epoch < 40; ++epoch) {
    const Array2<double> before = layout.coordinates();
    layout.step(epoch + 1, {});
    if (layout.coordinates()(0, 0) != before(0, 0)) strong.push_back(epoch);
    if (layout.coordinates()(2, 0) != before(2, 0)) weak.push_back(epoch);
  }
  EXPECT_EQ(strong.size(), 40U);
  EXPECT_EQ(weak, (std::vector<Index>{3, 6, 9, 13, 16, 19, 23, 26, 29, 33, 36, 39}));
}

/// A pull moves both ends, by as much: without pushes the middle of the map stays where it is. If it did not, clusters
/// would wander, and what the start knows of the whole would be lost.
TEST_F(UmapLayouts, PullsLeaveTheMiddleInPlace) {
  const Index n = 500;
  UmapSettings alone = settings(20);
  alone.negative_sample_rate = 0;
  for (const Index dims : {2, 3}) {
    UmapLayout layout(graph(n), start(n, dims), {}, alone, {});
    layout.step(20, {});
    for (Index k = 0; k < dims; ++k) {
      double before = 0, after = 0, moved = 0;
      for (Index i = 0; i < n; ++i) {
        before += start(n, dims)(i, k) / static_cast<double>(n);
        after += layout.coordinates()(i, k) / static_cast<double>(n);
        moved += std::abs(layout.coordinates()(i, k) - start(n, dims)(i, k)) / static_cast<double>(n);
      }
      EXPECT_NEAR(after, before, 1e-5);
      EXPECT_GT(moved, 0.5);
    }
  }
}

/// Points that nothing pulls are pushed apart by those that are drawn.
TEST_F(UmapLayouts, DrawnPointsPush) {
  const Index n = 600;
  UmapSettings without = settings(100);
  without.negative_sample_rate = 0;
  UmapLayout layout(graph(n), start(n), {}, without, {});
  layout.step(100, {});
  const auto spread = [](const Array2<double>& y) {
    double squares = 0;
    for (Index i = 0; i < y.size(); ++i) squares += y.data()[i] * y.data()[i];
    return squares / static_cast<double>(y.rows());
  };
  EXPECT_GT(spread(straight(graph(n), 2, 100)), 4 * spread(layout.coordinates()));
}

}  // namespace
}  // namespace unroll
