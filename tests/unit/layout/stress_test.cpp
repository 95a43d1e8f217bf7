// The objectives of maps of distances, against plain loops, and monotone regression.
#include <gtest/gtest.h>

#include <cmath>

#include "layout/monotone_regression.h"
#include "layout/nonmetric_stress.h"
#include "layout/stress_layout.h"
#include "simd/kernels.h"
#include "support/distances.h"
#include "support/matrices.h"
#include "support/runnable_kernels.h"

namespace unroll {
namespace {

constexpr Index kPoints = 150;  // two blocks, the second of which is not full

TargetTiles::Distance as_function(const Array2<double>& matrix) {
  return [&matrix](Index i, Index j) { return matrix(i, j); };
}

SparseMatrix all_pairs(const Array2<double>& matrix) {
  SparseMatrix result{.rows = matrix.rows(), .cols = matrix.cols()};
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j)
      if (i != j) result.columns.push_back(j), result.values.push_back(matrix(i, j));
    result.offsets.push_back(std::ssize(result.columns));
  }
  return result;
}

double map_distance(const Array2<double>& y, Index i, Index j) {
  double squared = 0;
  for (Index d = 0; d < y.cols(); ++d) squared += (y(i, d) - y(j, d)) * (y(i, d) - y(j, d));
  return std::sqrt(squared);
}

/// Sum of w (delta - r)^2 over the sum of w delta^2, w = 1 or 1 / delta.
double plain_stress(const Array2<double>& delta, const Array2<double>& y, bool inverse) {
  double sum = 0, total = 0;
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = i + 1; j < y.rows(); ++j) {
      const double weight = inverse ? 1 / delta(i, j) : 1;
      sum += weight * std::pow(delta(i, j) - map_distance(y, i, j), 2);
      total += weight * delta(i, j) * delta(i, j);
    }
  return sum / total;
}

/// The gradient by differences of values.
double worst_gradient_error(StressObjective& objective, const Array2<double>& y) {
  Array2<double> gradient(y.rows(), y.cols()), ignored(y.rows(), y.cols());
  objective.evaluate(y, gradient, {});
  double worst = 0;
  for (const Index i : {Index{0}, Index{7}, y.rows() - 1})
    for (Index d = 0; d < y.cols(); ++d) {
      constexpr double kStep = 1e-5;
      Array2<double> up = y, down = y;
      up(i, d) += kStep, down(i, d) -= kStep;
      const double slope = (objective.evaluate(up, ignored, {}) - objective.evaluate(down, ignored, {})) / (2 * kStep);
      worst = std::max(worst, std::abs(slope - gradient(i, d)));
    }
  return worst / max_abs(gradient);
}

TEST(StressObjectives, AreTheSumsOverPairs) {
  const Array2<double> delta = distances_between(normal_matrix(kPoints, 5, 1));
  for (const Index dims : {1, 2, 3, 5}) {
    const Array2<double> y = normal_matrix(kPoints, dims, 2);
    Array2<double> gradient(kPoints, dims);
    for (const PairWeights weights : {PairWeights::One, PairWeights::Inverse}) {
      const double expected = plain_stress(delta, y, weights == PairWeights::Inverse);
      for (const KeptAs kept : {KeptAs::Double, KeptAs::Single, KeptAs::Nothing}) {
        auto full =
            full_stress(std::make_unique<TargetTiles>(kPoints, as_function(delta), kept, unroll::Run{}), weights, {});
        EXPECT_NEAR(full->evaluate(y, gradient, {}), expected, kept == KeptAs::Single ? 1e-6 : 1e-12) << dims;
        EXPECT_LT(worst_gradient_error(*full, y), 1e-6) << dims;
      }
      const SparseMatrix pairs = all_pairs(delta);
      auto partial = partial_stress(pairs, std::vector<double>(pairs.values.size(), 1), weights);
      EXPECT_NEAR(partial->evaluate(y, gradient, {}), expected, 1e-12);
      EXPECT_LT(worst_gradient_error(*partial, y), 1e-6);
    }
  }
}

/// What a kernel adds up for the tile of two blocks: the forces on their points, and the sum of w (target - r)^2.
template <class T>
struct PlainForces {
  Array2<double> forces;
  double sum = 0;
  PlainForces(const simd::StressTile<T>& tile, double level, const Array2<double>& y) : forces(y.rows(), y.cols()) {
    for (Index i = 0; i < tile.rows; ++i)
      for (Index j = tile.is_diagonal ? i + 1 : 0; j < tile.cols; ++j) {
        const Index other = (tile.is_diagonal ? 0 : simd::kStressBlock) + j;
        const auto target = static_cast<double>(tile.targets[i * simd::kStressBlock + j]);
        const double r = map_distance(y, i, other), weight = tile.floor > 0 ? 1 / std::max(target, tile.floor) : 1;
        sum += weight * (target - r) * (target - r);
        for (Index d = 0; d < y.cols(); ++d) {
          const double force = weight * (level - target / r) * (y(i, d) - y(other, d));
          forces(i, d) += force, forces(other, d) -= force;
        }
      }
  }
};

template <class T>
void expect_plain_forces(const simd::Kernels& kernels, Index dims, double floor, bool is_diagonal) {
  const Array2<double> y = normal_matrix(kPoints, dims, 3);
  const BlockedMap places(y);
  std::vector<T> targets(static_cast<std::size_t>(kStressTileSize));
  for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = static_cast<T>(0.1 * static_cast<double>(k % 37));
  const Index second = is_diagonal ? 0 : 1, cols = is_diagonal ? simd::kStressBlock : kPoints - simd::kStressBlock;
  const simd::StressTile<T> tile{targets.data(), simd::kStressBlock, cols, is_diagonal, floor};
  BlockedMap forces(kPoints, dims);
  const double sum = kernels.stress.template add_forces<T>()(
      tile, 0.9, {dims, places.block(0), places.block(second), forces.block(0), forces.block(second)});
  const PlainForces<T> expected(tile, 0.9, y);
  Array2<double> found(kPoints, dims);
  forces.unpack(1, found);
  EXPECT_NEAR(sum, expected.sum, 1e-11 * expected.sum) << kernels.name;
  const double size = max_abs(expected.forces);
  for (Index i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found.data()[i], expected.forces.data()[i], 1e-11 * size) << kernels.name << i;
}

TEST(StressObjectives, KernelsOfEveryInstructionSetAgree) {
  const Array2<double> y = normal_matrix(kPoints, 2, 3);
  const BlockedMap places(y);
  BlockedMap forces(kPoints, 2);
  for (const simd::Kernels* kernels : runnable_kernels()) {
    std::vector<double> r(static_cast<std::size_t>(kStressTileSize));
    kernels->stress.distances({2, places.block(0), places.block(1), forces.block(0), forces.block(1)},
                              simd::kStressBlock, kPoints - simd::kStressBlock, r.data());
    for (const Index i : {0, 5, 127})
      for (const Index j : {0, 21})
        EXPECT_NEAR(r[static_cast<std::size_t>(i * simd::kStressBlock + j)], map_distance(y, i, simd::kStressBlock + j),
                    1e-14)
            << kernels->name;
    for (const Index dims : {1, 2, 3, 5})
      for (const double floor : {0.0, 0.25})
        for (const bool is_diagonal : {false, true}) {
          expect_plain_forces<double>(*kernels, dims, floor, is_diagonal);
          expect_plain_forces<float>(*kernels, dims, floor, is_diagonal);
        }
  }
}

TEST(StressObjectives, StressOneIsThatOfMonotoneRegression) {
  const Array2<double> delta = distances_between(normal_matrix(kPoints, 5, 4)), y = [] {
    Array2<double> map = normal_matrix(kPoints, 2, 5);
    const Array2<double> some = distances_between(normal_matrix(2, 2, 6));
    NonmetricStress(2, as_function(some), true, {}).normalize(map);
    return map;
  }();
  NonmetricStress stress(kPoints, as_function(delta), true, {});
  std::vector<std::pair<double, double>> pairs;
  for (Index i = 0; i < kPoints; ++i)
    for (Index j = i + 1; j < kPoints; ++j) pairs.emplace_back(delta(i, j), map_distance(y, i, j));
  std::sort(pairs.begin(), pairs.end());
  std::vector<double> fitted;
  for (const auto& pair : pairs) fitted.push_back(pair.second);
  monotone_regression(fitted);
  double rest = 0, squares = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    rest += std::pow(pairs[k].second - fitted[k], 2), squares += std::pow(pairs[k].second, 2);
  Array2<double> gradient(kPoints, 2);
  EXPECT_NEAR(stress.evaluate(y, gradient, {}), rest / squares, 1e-12);
  EXPECT_LT(worst_gradient_error(stress, y), 1e-4);
}

TEST(StressObjectives, TiesMayDifferOrNot) {
  // Three pairs of one distance and three of another: primary ties leave nothing to pool within a group.
  Array2<double> delta(4, 4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) delta(i, j) = i == j ? 0 : (i < 3 && j < 3 ? 1 : 2);
  Array2<double> y(4, 2), gradient(4, 2);
  y(1, 0) = 1, y(2, 1) = 1.5, y(3, 0) = 4, y(3, 1) = 4;
  NonmetricStress primary(4, as_function(delta), true, {}), secondary(4, as_function(delta), false, {});
  EXPECT_EQ(primary.evaluate(y, gradient, {}), 0);
  EXPECT_GT(secondary.evaluate(y, gradient, {}), 0.001);
}

// 400 points have more pairs than are sorted at once.
TEST(StressObjectives, ManyPairsAreInOrder) {
  const Array2<double> delta = distances_between(normal_matrix(400, 3, 14));
  const Array2<double> ranks = NonmetricStress(400, as_function(delta), true, {.threads = 3}).ranks();
  std::vector<std::pair<double, double>> pairs;
  for (Index i = 0; i < 400; ++i)
    for (Index j = 0; j < i; ++j) pairs.emplace_back(delta(i, j), ranks(i, j));
  std::sort(pairs.begin(), pairs.end());
  for (std::size_t k = 0; k < pairs.size(); ++k) ASSERT_EQ(pairs[k].second, static_cast<double>(k + 1));
}

TEST(StressObjectives, RanksAreMeansOfTies) {
  Array2<double> delta(3, 3);
  delta(0, 1) = delta(1, 0) = 5, delta(0, 2) = delta(2, 0) = 5, delta(1, 2) = delta(2, 1) = 1;
  const Array2<double> ranks = NonmetricStress(3, as_function(delta), true, {}).ranks();
  EXPECT_EQ(ranks(1, 2), 1);
  EXPECT_EQ(ranks(0, 1), 2.5);
  EXPECT_EQ(ranks(2, 0), 2.5);
}

TEST(MonotoneRegression, PoolsNeighborsThatFall) {
  std::vector<double> values{1, 3, 2, 4, 3.5, 3, 7};
  monotone_regression(values);
  EXPECT_EQ(values, (std::vector<double>{1, 2.5, 2.5, 3.5, 3.5, 3.5, 7}));
  std::vector<double> all{3, 2, 1, 0};  // one pool
  monotone_regression(all);
  EXPECT_EQ(all, (std::vector<double>(4, 1.5)));
  std::vector<double> none;
  monotone_regression(none);
}

TEST(StressLayouts, TheStressFallsInEveryIteration) {
  const Array2<double> delta = distances_between(normal_matrix(kPoints, 6, 7)), start = normal_matrix(kPoints, 2, 8);
  for (const PairWeights weights : {PairWeights::One, PairWeights::Inverse}) {
    auto stress = full_stress(std::make_unique<TargetTiles>(kPoints, as_function(delta), KeptAs::Double, unroll::Run{}),
                              weights, {});
    StressLayout layout(*stress, start, 1, 0);
    double before = layout.value({});
    for (Index k = 1; k <= 60; ++k) {
      layout.step(k, {});
      EXPECT_EQ(layout.iteration(), k);
      EXPECT_LT(layout.value({}), before) << k;
      before = layout.value({});
    }
  }
}

TEST(StressLayouts, ResumedIsStraight) {
  const Array2<double> delta = distances_between(normal_matrix(kPoints, 6, 9)), start = normal_matrix(kPoints, 2, 10);
  auto stress = full_stress(std::make_unique<TargetTiles>(kPoints, as_function(delta), KeptAs::Double, unroll::Run{}),
                            PairWeights::One, {});
  StressLayout straight(*stress, start, 0.5, 1e-6), half(*stress, start, 0.5, 1e-6);
  straight.step(30, {});
  half.step(13, {});
  StressLayout resumed(*stress, half.coordinates(), half.state(), 0.5, 1e-6);
  resumed.step(30, {});
  EXPECT_EQ(resumed.coordinates(), straight.coordinates());
  EXPECT_EQ(resumed.state().arrays, straight.state().arrays);
  EXPECT_EQ(resumed.state().numbers, straight.state().numbers);
}

}  // namespace
}  // namespace unroll
