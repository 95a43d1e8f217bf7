// The gradient of SNE, and its descent.
#include "layout/sne_layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/perplexity.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

class Sne : public testing::Test {
 protected:
  NeighborGraph nearest = neighbors(normal_matrix(61, 4, 1), {.n_neighbors = 18}).graph;
  std::vector<double> conditional = conditional_probabilities(nearest, {.perplexities = {6}}, {});

  SneForces forces() const {
    double entropy = 0;
    for (const double p : conditional) entropy += p > 0 ? p * std::log(p) / 61 : 0;
    return {Attraction(joint_probabilities(nearest, conditional, {})), entropy};
  }
  /// The mean of KL(P_i || Q_i) by its definition.
  double plain(const Array2<double>& y) const {
    const auto affinity = [&](Index i, Index j) {
      double squared = 0;
      for (Index d = 0; d < y.cols(); ++d) squared += (y(i, d) - y(j, d)) * (y(i, d) - y(j, d));
      return std::exp(-squared);
    };
    double sum = 0;
    for (Index i = 0; i < 61; ++i) {
      double z = 0;
      for (Index j = 0; j < 61; ++j) z += i == j ? 0 : affinity(i, j);
      for (std::size_t e = 0; e < nearest.neighbors_of(i).size(); ++e) {
        const double p = conditional[static_cast<std::size_t>(i) * 18 + e];
        if (p > 0) sum += p * std::log(p / (affinity(i, nearest.neighbors_of(i)[e]) / z)) / 61;
      }
    }
    return sum;
  }
};

TEST_F(Sne, GradientIsTheOneOfFiniteDifferences) {
  constexpr double kStep = 1e-5;
  for (const Index dims : {1, 2, 3, 5}) {
    const Array2<double> y = normal_matrix(61, dims, 2);
    Array2<double> gradient(61, dims);
    const auto loss = sne_gradient(forces(), y, 1, true, gradient, {});
    EXPECT_NEAR(*loss, plain(y), 1e-6);
    for (const Index i : {0, 17, 60})
      for (Index d = 0; d < dims; ++d) {
        Array2<double> up = y, down = y;
        up(i, d) += kStep, down(i, d) -= kStep;
        EXPECT_NEAR(4 * gradient(i, d), (plain(up) - plain(down)) / (2 * kStep), 1e-7) << i << " " << d;
      }
  }
}

TEST_F(Sne, PointsFarFromAllOthersHaveForces) {
  Array2<double> y = normal_matrix(61, 2, 3);
  y(5, 0) = 1000;  // exp(-1000000) is 0
  Array2<double> gradient(61, 2);
  const auto loss = sne_gradient(forces(), y, 1, true, gradient, {});
  EXPECT_TRUE(std::isfinite(*loss));
  EXPECT_TRUE(std::isfinite(max_abs(gradient)));
  EXPECT_GT(gradient(5, 0), 0);
}

TEST_F(Sne, DescentLowersTheDivergence) {
  Array2<double> start = normal_matrix(61, 2, 4);
  for (Index i = 0; i < start.size(); ++i) start.data()[i] *= 1e-4;
  SneLayout layout(forces(), start, {.early_iterations = 0});
  const double first = layout.divergence({});
  layout.step(1000, {});
  EXPECT_LT(layout.divergence({}), 0.8 * first);
  EXPECT_NEAR(layout.divergence({}), plain(layout.coordinates()), 1e-6);
}

}  // namespace
}  // namespace unroll
