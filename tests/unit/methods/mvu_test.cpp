// Maximum variance unfolding as a method: graphs in parts, starts of any size, units, the certificate, going on.
#include "unroll/methods/mvu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "support/point_clouds.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// A strip that is bent to most of a circle.
Array2<double> bent_strip(Index n, std::uint64_t seed = 0) {
  const Random random(seed, "bent strip");
  Array2<double> x(n, 3);
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    const double t = 4.5 * random.uniform(at, 0);
    x(i, 0) = std::cos(t), x(i, 1) = random.uniform(at, 1), x(i, 2) = std::sin(t);
  }
  return x;
}

/// Two of them, far from each other.
Array2<double> two_strips(Index each) {
  const Array2<double> one = bent_strip(each);
  Array2<double> both(2 * each, 3);
  for (Index i = 0; i < 2 * each; ++i) {
    std::copy_n(one.row(i % each), 3, both.row(i));
    both(i, 1) += i < each ? 0 : 100;
  }
  return both;
}

double objective(const Model& model) { return model.attribute<double>("objective"); }
double violation(const Model& model) { return model.attribute<double>("violation"); }

TEST(Mvu, RefusesAGraphInPartsAndSaysWhichKConnectsIt) {
  expect_error(ErrorKind::Disconnected, "use n_neighbors=30, the smallest that connects all points",
               [] { mvu(two_strips(30)); });
}

TEST(Mvu, SeparatePartsAreUnfoldedByThemselves) {
  const Model both = mvu(two_strips(30), {.components = ComponentsPolicy::Separate});
  const Model one = mvu(bent_strip(30));
  EXPECT_TRUE(has_warning(both, "graph-disconnected"));
  EXPECT_EQ(both.attribute<std::int64_t>("components"), 2);
  ASSERT_EQ(both.embedding().component_spectra.size(), 2U);
  // Both share the slack of both: each as much as one alone.
  EXPECT_NEAR(objective(both), 2 * objective(one), 1e-2 * objective(both));
  EXPECT_LE(violation(both), 1e-3);
}

TEST(Mvu, WarnsWhereInequalitiesLetThinDirectionsCollapse) {
  Array2<double> x = bent_strip(40);
  for (Index i = 0; i < 40; ++i) x(i, 2) += 0.2 * Random(1, "noise").normal(static_cast<std::uint64_t>(i));
  EXPECT_TRUE(has_warning(mvu(x, {.constraints = DistanceRule::Inequality}), "shrunken-distances"));
  EXPECT_FALSE(has_warning(mvu(x), "shrunken-distances"));
}

TEST(Mvu, AllStartsEndAtOneOptimum) {
  const Array2<double> x = bent_strip(30);
  const double best = objective(mvu(x, {.certify = true}));
  for (const LayoutStart init : {LayoutStart::Auto, LayoutStart::Pca, LayoutStart::Spectral, LayoutStart::Random})
    EXPECT_NEAR(objective(mvu(x, {.init = init})), best, 3e-3 * best) << name_of(init);
}

TEST(Mvu, AGivenStartMayHaveAnySize) {
  const Array2<double> x = bent_strip(30);
  const double best = objective(mvu(x));
  const Array2<double> start = normal_matrix(30, 2, 5);
  for (const double size : {0.0, 1e-200, 1e200}) {
    const Array2<double> given = scaled_by(start, size);
    Input input(x);
    input.init = PointsView(given);
    const Model model = mvu(input);
    EXPECT_NEAR(objective(model), best, 3e-3 * best) << size;
    EXPECT_EQ(has_warning(model, "random-start"), size == 0);
    EXPECT_FALSE(has_warning(model, "zero-variance"));
  }
  // A flat start is spread.
  Array2<double> flat = start;
  for (Index i = 0; i < 30; ++i) flat(i, 0) = 1;
  Input input(x);
  input.init = PointsView(flat);
  EXPECT_NEAR(objective(mvu(input)), best, 3e-3 * best);
}

TEST(Mvu, TheBoundHoldsForTheWholeSlackAndTheMapIsWithinIt) {
  const Array2<double> x = bent_strip(40);
  const Model model = mvu(x, {.certify = true}), wider = mvu(x, {.slack = 1.00001e-3, .certify = true});
  EXPECT_TRUE(model.attribute<bool>("certified"));
  EXPECT_LE(violation(model), 1e-3);
  EXPECT_GT(violation(model), 0.999e-3);  // the trace grows with the slack: all of it is used
  // A map that keeps the slack but for one part in 100 000 is no better than the bound says.
  EXPECT_LE(objective(wider), (1 + 1e-4) * model.attribute<double>("dual_bound"));
  const double gap = model.attribute<double>("dual_bound") / objective(model) - 1;
  EXPECT_NEAR(model.attribute<double>("gap"), gap, 1e-10);
  EXPECT_GE(gap, 0);
  EXPECT_LT(gap, 1e-3);
}

TEST(Mvu, UnitsThatLeaveTheRangeOfSquaresAreSaid) {
  const Array2<double> x = bent_strip(30);
  const Model plain = mvu(x);
  EXPECT_EQ(plain.attribute<double>("eigenvalue_unit"), 1);
  for (const double size : {0x1p-570, 0x1p540}) {
    const Model model = mvu(scaled_by(x, size));
    const double unit = model.attribute<double>("eigenvalue_unit"), squared = size * unit * (size * unit);
    EXPECT_NE(unit, 1);
    for (const char* name : {"objective", "dual_bound"})
      EXPECT_NEAR(model.attribute<double>(name) / squared, plain.attribute<double>(name),
                  1e-9 * plain.attribute<double>(name));
  }
}

TEST(Mvu, ProgressTellsTheObjectiveOfTheMap) {
  const Array2<double> x = scaled_by(bent_strip(30), 1000);
  double loss = 0, broken = -1;
  const Model model = mvu(x, {}, {.progress = [&](const Progress& progress) {
                            if (progress.loss) loss = *progress.loss;
                            if (progress.violation) broken = *progress.violation;
                            return Answer::Continue;
                          }});
  EXPECT_NEAR(loss, objective(model), 1e-9 * loss);
  EXPECT_EQ(broken, violation(model));
}

TEST(Mvu, SaysTheViolationOfAMapThatNobodyImproved) {
  // So many parts that there is no bound, for which the map would be looked at.
  constexpr Index kParts = 102;
  Array2<double> x(3 * kParts, 2);
  for (Index part = 0; part < kParts; ++part)
    for (Index i = 0; i < 3; ++i) {
      x(3 * part + i, 0) = 100 * static_cast<double>(part) + static_cast<double>(i);
      x(3 * part + i, 1) = i == 1 ? 0.5 : 0;
    }
  const MvuOptions options{.n_neighbors = 2, .components = ComponentsPolicy::Separate};
  MvuOptions none = options;
  none.n_iter = 0;
  Array2<double> start(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) start(i, 0) = static_cast<double>(i % 3);
  Input given(x);
  given.init = PointsView(start);
  EXPECT_GT(violation(mvu(given, none)), 1e-3);
  Input input(x);
  const Model model = mvu(input, options);
  input.resume = &model;
  EXPECT_EQ(violation(mvu(input, options)), violation(model));
  EXPECT_GT(violation(model), 0);
}

TEST(Mvu, GoesOnFromAModelOfTheSameDistancesOnly) {
  const Array2<double> x = bent_strip(30);
  Array2<double> other = x;
  other(7, 1) += 1e-9;
  const Model half = mvu(x, {.n_iter = 20}), whole = mvu(x, {.n_iter = 90});
  Input same(x), changed(other);
  same.resume = changed.resume = &half;
  EXPECT_EQ(mvu(same, {.n_iter = 90}).coordinates(), whole.coordinates());
  expect_error(ErrorKind::InvalidData, "was fitted to other points", [&] { mvu(changed, {.n_iter = 90}); });
}

TEST(Mvu, OddDistancesAreRefusedOrDefined) {
  const Array2<double> x = bent_strip(30), delta = distances_between(x);
  const auto refused = [&](const std::string& why, double above, double below, Index i, Index j) {
    Array2<double> bad = delta;
    bad(i, j) = above, bad(j, i) = below;
    expect_error(ErrorKind::InvalidData, why, [&] { mvu(DistancesView{bad}); });
  };
  refused("all distances must be positive or zero", -1, -1, 2, 5);
  refused("a point has no distance from itself", 1, 1, 4, 4);
  refused("the array must be symmetric", 1, 1.1, 2, 5);
  refused("", HUGE_VAL, HUGE_VAL, 2, 5);
  const Model same = mvu(Array2<double>(30, 3));
  EXPECT_TRUE(has_warning(same, "zero-variance"));
  EXPECT_EQ(max_abs(same.coordinates()), 0);
  // The distances of the points give what the points give, but for their rounding.
  EXPECT_NEAR(objective(mvu(DistancesView{delta})), objective(mvu(x)), 1e-3 * objective(mvu(x)));
}

TEST(Mvu, SparseDistancesKeepWhatIsKnown) {
  constexpr Index kPoints = 40;
  const Array2<double> x = bent_strip(kPoints);
  SparseMatrix sparse{kPoints, kPoints, {0}, {}, {}};
  for (Index i = 0; i < kPoints; ++i) {
    for (Index j = 0; j < kPoints; ++j) {
      const double d = std::hypot(x(i, 0) - x(j, 0), x(i, 1) - x(j, 1), x(i, 2) - x(j, 2));
      if (i == j || d > 0.8) continue;
      sparse.columns.push_back(j);
      sparse.values.push_back(d);
    }
    sparse.offsets.push_back(static_cast<Index>(sparse.columns.size()));
  }
  const Model model = mvu(SparseDistances(sparse), {.certify = true});
  EXPECT_TRUE(model.attribute<bool>("certified"));
  EXPECT_LE(violation(model), 1e-3);
  double squares = 0;  // of the points: their K is allowed, so that the best is not less
  for (Index d = 0; d < 3; ++d) {
    double mean = 0;
    for (Index i = 0; i < kPoints; ++i) mean += x(i, d) / kPoints;
    for (Index i = 0; i < kPoints; ++i) squares += (x(i, d) - mean) * (x(i, d) - mean);
  }
  EXPECT_GE(objective(model), 0.999 * squares);
}

}  // namespace
}  // namespace unroll
