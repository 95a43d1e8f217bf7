// Weights of neighbours: the linear system, its limits, and the constrained problem against all its subsets.
#include "affinity/reconstruction_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/matrices.h"

namespace unroll {
namespace {

/// Inner products of the rows of x.
Array2<double> gram_of(const Array2<double>& x) { return product(x, transposed(x)); }

std::vector<double> weights_of(const Array2<double>& gram, const WeightsOptions& options) {
  std::vector<double> weights(static_cast<std::size_t>(gram.rows()));
  WeightsScratch scratch;
  EXPECT_TRUE(solve_weights(gram, options, weights, scratch));
  return weights;
}

double cost(const Array2<double>& gram, double reg, const std::vector<double>& w) {
  double trace = 0, sum = 0;
  for (Index i = 0; i < gram.rows(); ++i) trace += gram(i, i);
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index j = 0; j < gram.rows(); ++j)
      sum +=
          (gram(i, j) + (i == j ? reg * trace : 0)) * w[static_cast<std::size_t>(i)] * w[static_cast<std::size_t>(j)];
  return sum;
}

TEST(ReconstructionWeights, SolveTheRegularizedSystem) {
  for (const Index m : {1, 2, 5, 12, 40}) {
    const Array2<double> gram = gram_of(normal_matrix(m, 3, 1));
    const std::vector<double> w = weights_of(gram, {.reg = 1e-2});
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-13);
    double trace = 0;
    for (Index i = 0; i < m; ++i) trace += gram(i, i);
    // (C + reg tr(C) I) w is the same in all entries: that of the multiplier.
    std::vector<double> image(static_cast<std::size_t>(m));
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j)
        image[static_cast<std::size_t>(i)] +=
            (gram(i, j) + (i == j ? 1e-2 * trace : 0)) * w[static_cast<std::size_t>(j)];
    for (const double value : image) EXPECT_NEAR(value / image.front(), 1, 1e-9) << m;
  }
}

TEST(ReconstructionWeights, WithoutRegularizationTheyReproduceAPointWithinASimplex) {
  // Three points around the origin of a plane: 0 = sum w x, exactly one way.
  Array2<double> x(3, 2);
  x(0, 0) = 1, x(1, 1) = 1, x(2, 0) = -2, x(2, 1) = -3;
  WeightsScratch scratch;
  std::vector<double> w(3);
  // Their inner products are singular: three vectors in two dimensions.
  EXPECT_FALSE(solve_weights(gram_of(x), {.reg = 0}, w, scratch));
  const std::vector<double> near = weights_of(gram_of(x), {.reg = 1e-9});
  EXPECT_NEAR(near[0], 2.0 / 6, 1e-6);
  EXPECT_NEAR(near[1], 3.0 / 6, 1e-6);
  EXPECT_NEAR(near[2], 1.0 / 6, 1e-6);
  // Two of them are regular.
  const std::vector<double> two = weights_of(gram_of(normal_matrix(2, 5, 3)), {.reg = 0});
  EXPECT_NEAR(two[0] + two[1], 1, 1e-15);
}

TEST(ReconstructionWeights, OfNeighborsOnThePointAreEqual) {
  EXPECT_EQ(weights_of(Array2<double>(4, 4), {}), std::vector<double>(4, 0.25));
  EXPECT_EQ(weights_of(Array2<double>(4, 4), {.reg = 0}), std::vector<double>(4, 0.25));
}

TEST(ReconstructionWeights, DoNotDependOnTheUnit) {
  Array2<double> gram = gram_of(normal_matrix(8, 3, 5));
  const std::vector<double> w = weights_of(gram, {}), positive = weights_of(gram, {.nonnegative = true});
  for (Index i = 0; i < gram.size(); ++i) gram.data()[i] *= 0x1p60;
  EXPECT_EQ(weights_of(gram, {}), w);
  EXPECT_EQ(weights_of(gram, {.nonnegative = true}), positive);
}

TEST(ReconstructionWeights, NonnegativeOnesAreTheBestOfAllSubsets) {
  constexpr Index m = 7;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Array2<double> gram = gram_of(normal_matrix(m, 3, seed));
    const std::vector<double> w = weights_of(gram, {.reg = 1e-3, .nonnegative = true});
    double sum = 0;
    for (const double value : w) {
      EXPECT_GE(value, 0);
      sum += value;
    }
    EXPECT_NEAR(sum, 1, 1e-13);
    // The best point of the simplex is the best of the plane of one of its faces.
    double best = INFINITY;
    for (unsigned face = 1; face < (1U << m); ++face) {
      std::vector<Index> chosen;
      for (Index i = 0; i < m; ++i)
        if ((face >> i & 1U) != 0) chosen.push_back(i);
      const auto s = std::ssize(chosen);
      double trace = 0;
      for (Index i = 0; i < m; ++i) trace += gram(i, i);
      Array2<double> part(s, s);
      for (Index i = 0; i < s; ++i)
        for (Index j = 0; j < s; ++j)
          part(i, j) = gram(chosen[static_cast<std::size_t>(i)], chosen[static_cast<std::size_t>(j)]) +
                       (i == j ? 1e-3 * trace : 0);
      const std::vector<double> inside = weights_of(part, {.reg = 0});
      if (std::any_of(inside.begin(), inside.end(), [](double value) { return value < 0; })) continue;
      std::vector<double> all(m);
      for (Index i = 0; i < s; ++i)
        all[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])] = inside[static_cast<std::size_t>(i)];
      best = std::min(best, cost(gram, 1e-3, all));
    }
    EXPECT_NEAR(cost(gram, 1e-3, w) / best, 1, 1e-10) << seed;
  }
}

}  // namespace
}  // namespace unroll
