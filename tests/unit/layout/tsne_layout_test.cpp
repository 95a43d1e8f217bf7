// The gradient of t-SNE, its descent, and going on from a state.
#include "layout/tsne_layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "affinity/perplexity.h"
#include "support/matrices.h"
#include "unroll/neighbors/neighbors.h"

namespace unroll {
namespace {

SparseMatrix probabilities(Index n, double perplexity) {
  const NeighborGraph nearest =
      neighbors(normal_matrix(n, 4, 1), {.n_neighbors = 3 * static_cast<Index>(perplexity)}).graph;
  return joint_probabilities(nearest, conditional_probabilities(nearest, {.perplexities = {perplexity}}, {}), {});
}

/// KL(P || Q) by its definition, over all pairs.
double plain_divergence(const SparseMatrix& p, const Array2<double>& y, double dof) {
  const auto affinity = [&](Index i, Index j) {
    double squared = 0;
    for (Index d = 0; d < y.cols(); ++d) squared += (y(i, d) - y(j, d)) * (y(i, d) - y(j, d));
    return std::pow(1 + squared / dof, -(dof + 1) / 2);
  };
  double z = 0, sum = 0;
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = 0; j < y.rows(); ++j) z += i == j ? 0 : affinity(i, j);
  for (Index i = 0; i < y.rows(); ++i)
    for (Index e = p.offsets[static_cast<std::size_t>(i)]; e < p.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const double own = p.values[static_cast<std::size_t>(e)];
      if (own > 0) sum += own * std::log(own / (affinity(i, p.columns[static_cast<std::size_t>(e)]) / z));
    }
  return sum;
}

class TsneGradient : public testing::TestWithParam<std::tuple<Index, double>> {};
INSTANTIATE_TEST_SUITE_P(DimensionsAndTails, TsneGradient,
                         testing::Combine(testing::Values(1, 2, 3, 5), testing::Values(1.0, 0.5, 3.0)));

TEST_P(TsneGradient, IsTheOneOfFiniteDifferences) {
  const Index dims = std::get<0>(GetParam());
  const double dof = std::get<1>(GetParam());
  const SparseMatrix p = probabilities(61, 6);
  const Array2<double> y = normal_matrix(61, dims, 2);
  const TsneForces forces{Attraction(p), exact_repulsion(dof), dof};
  Array2<double> gradient(61, dims);
  const auto loss = tsne_gradient(forces, y, 1, true, gradient, {});
  EXPECT_NEAR(*loss, plain_divergence(p, y, dof), 1e-6);
  constexpr double kStep = 1e-5;
  for (const Index i : {0, 17, 60})
    for (Index d = 0; d < dims; ++d) {
      Array2<double> up = y, down = y;
      up(i, d) += kStep, down(i, d) -= kStep;
      const double slope = (plain_divergence(p, up, dof) - plain_divergence(p, down, dof)) / (2 * kStep);
      EXPECT_NEAR(4 * gradient(i, d), slope, 1e-7) << i << " " << d;
    }
}

TEST(Tsne, ExaggerationMultipliesTheAttraction) {
  const SparseMatrix p = probabilities(40, 5);
  const Array2<double> y = normal_matrix(40, 2, 3);
  const TsneForces forces{Attraction(p), exact_repulsion(1), 1};
  Array2<double> once(40, 2), twice(40, 2), thrice(40, 2);
  tsne_gradient(forces, y, 1, false, once, {});
  tsne_gradient(forces, y, 2, false, twice, {});
  tsne_gradient(forces, y, 3, false, thrice, {});
  for (Index i = 0; i < once.size(); ++i)
    EXPECT_NEAR(thrice.data()[i] - twice.data()[i], twice.data()[i] - once.data()[i], 1e-15);
}

TEST(Tsne, ASampleOfAllIsExact) {
  const SparseMatrix p = probabilities(61, 6);
  const Array2<double> y = normal_matrix(61, 2, 2);
  Array2<double> force(61, 2);
  const double z = exact_repulsion(1)->compute(y, force, {});
  const SampledZ all = sampled_normalization(y, 1, 100, {}), half = sampled_normalization(y, 1, 30, {});
  EXPECT_NEAR(all.z, z, 1e-9 * z);
  EXPECT_EQ(all.sample, 61);
  EXPECT_NEAR(half.z, z, 0.2 * z);
  EXPECT_EQ(half.sample, 30);
}

class TsneDescent : public testing::Test {
 protected:
  SparseMatrix p = probabilities(150, 10);
  Array2<double> start = [] {
    Array2<double> y = normal_matrix(150, 2, 4);
    for (Index i = 0; i < y.size(); ++i) y.data()[i] *= 1e-4;
    return y;
  }();
  TsneForces forces() const { return {Attraction(p), exact_repulsion(1), 1}; }
};

TEST_F(TsneDescent, LowersTheDivergence) {
  TsneLayout layout(forces(), start, {});
  layout.step(1, {});
  const double first = layout.loss();
  layout.step(750, {});
  EXPECT_LT(layout.divergence(1000, {}).first, 0.5 * first);
  EXPECT_LT(layout.clipped_share(), 0.1);
}

TEST_F(TsneDescent, ResumedIsStraight) {
  const DescentSchedule schedule{.tolerance = 1e-3};
  TsneLayout straight(forces(), start, schedule);
  straight.step(600, {});
  for (const Index pause : {1, 49, 50, 51, 250, 333}) {
    TsneLayout first(forces(), start, schedule);
    first.step(pause, {});
    TsneLayout second(forces(), first.coordinates(), first.state(), schedule);
    second.step(600, {});
    EXPECT_EQ(second.coordinates(), straight.coordinates()) << pause;
    EXPECT_EQ(second.iteration(), straight.iteration());
    EXPECT_EQ(second.loss(), straight.loss());
  }
}

TEST_F(TsneDescent, EndsWhereTheLossStays) {
  TsneLayout layout(forces(), start, {.tolerance = 0.01});
  layout.step(100'000, {});
  EXPECT_TRUE(layout.is_converged());
  EXPECT_LT(layout.iteration(), 2000);
  EXPECT_EQ(layout.iteration() % Descent::kCheck, 0);
}

TEST_F(TsneDescent, HugeStepsAreCut) {
  TsneLayout layout(forces(), start, {.learning_rate = 1e300});
  layout.step(300, {});
  for (Index i = 0; i < layout.coordinates().size(); ++i)
    ASSERT_LE(std::abs(layout.coordinates().data()[i]), 300 * Descent::kLongestStep);
  EXPECT_GT(layout.clipped_share(), 0.1);
}

TEST_F(TsneDescent, AMapOfZerosStays) {
  TsneLayout layout(forces(), Array2<double>(150, 2), {});
  layout.step(100, {});
  EXPECT_EQ(layout.coordinates(), Array2<double>(150, 2));
}

}  // namespace
}  // namespace unroll
