#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "layout/unfolding_layout.h"
#include "support/expect_error.h"

namespace unroll {
namespace {

/// A chain of n points, bent in the plane: each is joined to the next two.
struct Chain {
  NeighborPairs pairs = {};
  Array2<double> places = {};
  Components components = {};
};

Chain bent_chain(Index n, bool has_angles) {
  Chain chain{.places = Array2<double>(n, 3)};
  double x = 0, y = 0;
  for (Index i = 0; i < n; ++i) {
    chain.places(i, 0) = x, chain.places(i, 1) = y;
    x += std::cos(0.3 * static_cast<double>(i)), y += std::sin(0.3 * static_cast<double>(i));
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < std::min(n, i + (has_angles ? 3 : 2)); ++j) {
      chain.pairs.first.push_back(i);
      chain.pairs.second.push_back(j);
      chain.pairs.distances.push_back(
          std::hypot(chain.places(i, 0) - chain.places(j, 0), chain.places(i, 1) - chain.places(j, 1)));
    }
  chain.components = {std::vector<Index>(static_cast<std::size_t>(n)), {n}};
  // Away from the saddle of a chain that lies in one plane.
  const Random random(0, "unfolding test");
  for (Index i = 0; i < n; ++i) chain.places(i, 2) = 0.01 * random.normal(static_cast<std::uint64_t>(i));
  return chain;
}

TEST(Unfolding, AChainOfRodsBecomesALine) {
  constexpr Index kPoints = 20;
  const Chain chain = bent_chain(kPoints, false);
  const DistanceConstraints constraints(kPoints, chain.pairs, chain.components);
  UnfoldingLayout layout(constraints, chain.places, {.n_components = 1, .tolerance = 1e-5});
  layout.step(2000, {});
  EXPECT_TRUE(layout.is_converged());
  // Points at distance 1 on a line: sum of squares n (n^2 - 1) / 12, and that is also the bound.
  const double best = kPoints * (kPoints * kPoints - 1) / 12.0;
  EXPECT_NEAR(layout.trace(), best, 1e-4 * best);
  ASSERT_TRUE(layout.bound({}).has_value());
  EXPECT_NEAR(layout.bound({})->trace, best, 1e-3 * best);
  EXPECT_NEAR(layout.bound({})->smallest, 1, 1e-3);
  EXPECT_LT(layout.fit().violation, 1e-5);
}

TEST(Unfolding, TheBoundHoldsForAnyMultipliers) {
  constexpr Index kPoints = 12;
  const Chain chain = bent_chain(kPoints, false);
  const DistanceConstraints constraints(kPoints, chain.pairs, chain.components);
  const double best = kPoints * (kPoints * kPoints - 1) / 12.0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<double> mu(static_cast<std::size_t>(constraints.size()));
    for (std::size_t e = 0; e < mu.size(); ++e) mu[e] = Random(seed, "multipliers").normal(e) + (seed > 2 ? 2 : 0);
    const double trace = unfolding_bound(constraints, {}, mu, 0, {}).trace;
    EXPECT_GE(trace, best);
    EXPECT_LT(trace, 1e6 * best);  // it says something
  }
}

TEST(Unfolding, TheGradientIsThatOfTheFunction) {
  const Chain chain = bent_chain(9, true);
  const DistanceConstraints constraints(9, chain.pairs, chain.components);
  for (const bool is_inequality : {false, true}) {
    UnfoldingObjective objective(constraints, {.slack = 0.01, .is_inequality = is_inequality});
    std::vector<double> lambda(static_cast<std::size_t>(constraints.size()));
    for (std::size_t e = 0; e < lambda.size(); ++e) lambda[e] = Random(1, "lambda").normal(e);
    objective.set(lambda, 3);
    Array2<double> y = chain.places, gradient(9, 3), unused(9, 3);
    for (Index i = 0; i < y.size(); ++i) y.data()[i] *= 1.1;
    constraints.center(y);
    objective.evaluate(y, gradient, {});
    for (const Index k : {Index{4}, Index{13}}) {
      // Centred: the function is of centred rows.
      Array2<double> up = y, down = y;
      up.data()[k] += 1e-5, down.data()[k] -= 1e-5;
      constraints.center(up);
      constraints.center(down);
      const double slope = (objective.evaluate(up, unused, {}) - objective.evaluate(down, unused, {})) / 2e-5;
      EXPECT_NEAR(slope, gradient.data()[k], 1e-5 * (1 + std::abs(slope)));
    }
  }
}

TEST(Unfolding, GoingOnFromAStateChangesNoBit) {
  const Chain chain = bent_chain(30, true);
  const DistanceConstraints constraints(30, chain.pairs, chain.components);
  const UnfoldingSettings settings{.n_components = 2, .rules = {.slack = 1e-3}};
  UnfoldingLayout straight(constraints, chain.places, settings);
  straight.step(130, {});
  for (const Index stop : {0, 1, 57, 100}) {
    UnfoldingLayout first(constraints, chain.places, settings);
    first.step(stop, {});
    UnfoldingLayout second(constraints, first.state(), settings);
    second.step(130, {});
    EXPECT_EQ(second.iteration(), straight.iteration());
    EXPECT_EQ(second.coordinates(), straight.coordinates()) << stop;
  }
  const Chain other = bent_chain(31, true);
  const DistanceConstraints others(31, other.pairs, other.components);
  expect_error(ErrorKind::InvalidData, "was fitted to other points",
               [&] { UnfoldingLayout(others, straight.state(), settings); });
}

TEST(Unfolding, AColumnLeadsOutOfAPlane) {
  // All distances of a regular simplex: K has rank 4, but the start has one column. Only further columns keep them.
  NeighborPairs pairs;
  for (Index i = 0; i < 5; ++i)
    for (Index j = i + 1; j < 5; ++j) {
      pairs.first.push_back(i);
      pairs.second.push_back(j);
      pairs.distances.push_back(1);
    }
  const DistanceConstraints constraints(5, pairs, {std::vector<Index>(5), {5}});
  Array2<double> start(5, 1);
  for (Index i = 0; i < 5; ++i) start(i, 0) = 0.3 * static_cast<double>(i * i);
  UnfoldingLayout layout(constraints, start, {.n_components = 2, .tolerance = 1e-4, .is_to_be_proven = true});
  layout.step(5000, {});
  EXPECT_GE(layout.factor().cols(), 4);
  EXPECT_LT(layout.fit().violation, 1e-3);
  EXPECT_NEAR(layout.trace(), 2, 1e-2);  // (n - 1) / 2
}

/// No factor is cheap enough: only the diagonal is left.
constexpr UnfoldingCurvature::Effort kNoFactor{.coupled_flops = 0, .flops = 0};

TEST(Unfolding, DivisionByADiagonalKeepsTheCenter) {
  const Chain chain = bent_chain(20, true);
  const DistanceConstraints constraints(20, chain.pairs, chain.components);
  Array2<double> gradient(20, 3);
  for (Index i = 0; i < gradient.size(); ++i)
    gradient.data()[i] = Random(2, "gradient").normal(static_cast<std::uint64_t>(i));
  constraints.center(gradient);
  const std::vector<double> lambda(static_cast<std::size_t>(constraints.size()), 0.5);
  UnfoldingCurvature(constraints, chain.places, lambda, 1, kNoFactor, {}).divide(gradient, {});
  for (Index d = 0; d < 3; ++d) {
    double sum = 0;
    for (Index i = 0; i < 20; ++i) sum += gradient(i, d);
    EXPECT_NEAR(sum, 0, 1e-12);
  }
}

TEST(Unfolding, WithoutAnyFactorItEndsAtTheSameMap) {
  constexpr Index kPoints = 12;
  const Chain chain = bent_chain(kPoints, false);
  const DistanceConstraints constraints(kPoints, chain.pairs, chain.components);
  UnfoldingLayout layout(constraints, chain.places, {.n_components = 1, .tolerance = 1e-4, .effort = kNoFactor});
  layout.step(5000, {});
  EXPECT_TRUE(layout.is_converged());
  const double best = kPoints * (kPoints * kPoints - 1) / 12.0;
  EXPECT_NEAR(layout.trace(), best, 1e-3 * best);
}

TEST(Unfolding, TheMapIsTakenBackIntoTheSlack) {
  const Chain chain = bent_chain(20, true);
  const DistanceConstraints constraints(20, chain.pairs, chain.components);
  for (const bool is_inequality : {false, true}) {
    const UnfoldingRules rules{.slack = 1e-2, .is_inequality = is_inequality};
    const auto stretched = [&](double factor) {
      Array2<double> y = chain.places;
      for (Index i = 0; i < y.size(); ++i) y.data()[i] *= factor;
      return y;
    };
    EXPECT_EQ(allowed_share(constraints, rules, stretched(1), {}), 1);
    EXPECT_EQ(allowed_share(constraints, rules, stretched(1.1), {}), std::nullopt);
    // Squares grow by 1.4 %, and may by 1 %; the chain stands 0.01 above its plane.
    const std::optional<double> share = allowed_share(constraints, rules, stretched(1.007), {});
    ASSERT_TRUE(share.has_value());
    EXPECT_NEAR(*share, 1.01 / (1.007 * 1.007), 1e-3);
    EXPECT_LE(unfolding_fit(constraints, rules, stretched(1.007 * std::sqrt(*share)), {}).violation, 1e-2);
  }
}

}  // namespace
}  // namespace unroll
