#include "affinity/perplexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

double perplexity_of(const std::vector<double>& weights) {
  double entropy = 0;
  for (const double p : weights)
    if (p > 0) entropy -= p * std::log(p);
  return std::exp(entropy);
}

std::vector<double> weights_of(const std::vector<double>& distances, double perplexity) {
  std::vector<double> weights(distances.size());
  perplexity_weights(distances, perplexity, weights);
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-14);
  return weights;
}

TEST(Perplexity, IsTheOneThatIsAskedFor) {
  const NeighborGraph nearest = neighbors(normal_matrix(200, 5, 1), {.n_neighbors = 90}).graph;
  for (Index i = 0; i < nearest.size(); ++i) {
    const auto row = nearest.distances_of(i);
    for (const double perplexity : {1.5, 5.0, 30.0, 89.0})
      EXPECT_NEAR(perplexity_of(weights_of({row.begin(), row.end()}, perplexity)), perplexity, 1e-9 * perplexity);
  }
}

TEST(Perplexity, WeightsAreThoseOfAGaussian) {
  const std::vector<double> d{0.5, 1, 1.7, 2.2, 3};
  const std::vector<double> p = weights_of(d, 3);
  const double beta = std::log(p[0] / p[1]) / (d[1] * d[1] - d[0] * d[0]);
  for (std::size_t j = 0; j < d.size(); ++j)
    EXPECT_NEAR(p[j], p[0] * std::exp(-beta * (d[j] * d[j] - d[0] * d[0])), 1e-14);
}

TEST(Perplexity, OfEqualDistancesAllAreAlike) {
  for (const double distance : {0.0, 1e-300, 1.0, 1e300})
    for (const double p : weights_of(std::vector<double>(7, distance), 3)) EXPECT_DOUBLE_EQ(p, 1.0 / 7);
}

TEST(Perplexity, ThatIsTooLargeMakesAllAlike) {
  for (const double p : weights_of({1, 2, 3, 4}, 4)) EXPECT_DOUBLE_EQ(p, 0.25);
  for (const double p : weights_of({1, 2, 3, 4}, 1e300)) EXPECT_DOUBLE_EQ(p, 0.25);
}

TEST(Perplexity, CopiesShareTheWeightThatTheyExceed) {
  const std::vector<double> expected{0.25, 0.25, 0.25, 0.25, 0, 0};
  EXPECT_EQ(weights_of({0, 0, 0, 0, 1, 2}, 3), expected);
  EXPECT_EQ(weights_of({2, 2, 2, 2, 3, 4}, 3), expected);
  EXPECT_EQ(weights_of({1, 2, 3}, 0.5), (std::vector<double>{1, 0, 0}));
}

TEST(Perplexity, FarOutliersNeitherOverflowNorVanish) {
  for (const double far : {1e3, 1e8, 1e16, 1e150, 1e300}) {
    const std::vector<double> p = weights_of({1, 1.1, 1.2, 1.3, far}, 3);
    EXPECT_NEAR(perplexity_of(p), 3, 1e-9) << far;
    EXPECT_EQ(p.back(), 0) << far;
    EXPECT_NEAR(perplexity_of(weights_of({far, far * 1.1, far * 1.2, far * 1.3}, 2.5)), 2.5, 1e-9) << far;
  }
  // So near that their squares vanish beside the others: they count as equal.
  EXPECT_NEAR(perplexity_of(weights_of({1e-200, 2e-200, 1, 1.5}, 2.5)), 2.5, 1e-9);
}

TEST(Perplexity, APowerOfTwoAsUnitChangesNoBit) {
  const std::vector<double> d{0.5, 1, 1.7, 2.2, 3};
  for (const double unit : {0x1p-1000, 0x1p-3, 0x1p900}) {
    std::vector<double> scaled = d;
    for (double& x : scaled) x *= unit;
    EXPECT_EQ(weights_of(scaled, 3), weights_of(d, 3)) << unit;
  }
}

TEST(Perplexity, SeveralAreAveraged) {
  const NeighborGraph nearest = neighbors(normal_matrix(50, 3, 2), {.n_neighbors = 30}).graph;
  const auto small = conditional_probabilities(nearest, {.perplexities = {3}}, {});
  const auto large = conditional_probabilities(nearest, {.perplexities = {10}}, {});
  const auto both = conditional_probabilities(nearest, {.perplexities = {3, 10}}, {});
  for (std::size_t e = 0; e < both.size(); ++e) EXPECT_DOUBLE_EQ(both[e], small[e] / 2 + large[e] / 2);
  for (const double p : conditional_probabilities(nearest, {.is_uniform = true}, {})) EXPECT_DOUBLE_EQ(p, 1.0 / 30);
}

TEST(JointProbabilities, AreSymmetricAndSumToOne) {
  const NeighborGraph nearest = neighbors(normal_matrix(300, 4, 3), {.n_neighbors = 12}).graph;
  const auto conditional = conditional_probabilities(nearest, {.perplexities = {4}}, {});
  const SparseMatrix p = joint_probabilities(nearest, conditional, {});
  Array2<double> dense(300, 300), expected(300, 300);
  double sum = 0;
  for (Index i = 0; i < 300; ++i)
    for (Index e = p.offsets[static_cast<std::size_t>(i)]; e < p.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (e > p.offsets[static_cast<std::size_t>(i)]) {
        EXPECT_LT(p.columns[at - 1], p.columns[at]);
      }
      dense(i, p.columns[at]) = p.values[at];
      sum += p.values[at];
    }
  for (Index i = 0; i < 300; ++i)
    for (std::size_t e = 0; e < nearest.neighbors_of(i).size(); ++e) {
      const double half = conditional[static_cast<std::size_t>(nearest.offsets[static_cast<std::size_t>(i)]) + e] / 600;
      expected(i, nearest.neighbors_of(i)[e]) += half;
      expected(nearest.neighbors_of(i)[e], i) += half;
    }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT(relative_difference(dense, expected), 1e-14);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 300; ++j) ASSERT_EQ(dense(i, j), dense(j, i));
}

TEST(JointProbabilities, PointsWithoutNeighborsDoNotCount) {
  const NeighborGraph nearest{.offsets = {0, 1, 2, 2}, .neighbors = {1, 0}, .distances = {1, 1}};
  const SparseMatrix p =
      joint_probabilities(nearest, conditional_probabilities(nearest, {.perplexities = {2}}, {}), {});
  EXPECT_EQ(p.values, (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace unroll
