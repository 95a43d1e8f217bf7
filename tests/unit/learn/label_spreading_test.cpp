#include "unroll/learn/label_spreading.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/label_systems.h"
#include "support/model_warnings.h"
#include "unroll/data/generators.h"
#include "unroll/learn/label_propagation.h"

namespace unroll {
namespace {

constexpr LabelSolver kSolvers[] = {LabelSolver::Iterate, LabelSolver::Factorize};

Input labeled(Input input, std::span<const std::int64_t> labels) {
  input.labels = labels;
  return input;
}

/// Weights exp(-|x_i - x_j|^2) of points, without loops.
Array2<double> weights_between(const Array2<double>& x) {
  Array2<double> w(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) {
      double squares = 0;
      for (Index k = 0; k < x.cols(); ++k) squares += (x(i, k) - x(j, k)) * (x(i, k) - x(j, k));
      w(i, j) = i == j ? 0 : std::exp(-squares);
    }
  return w;
}

/// Points 0, 1, 2, ... on a line, each joined to the next.
Array2<double> path_weights(Index n) {
  Array2<double> w(n, n);
  for (Index i = 0; i + 1 < n; ++i) w(i, i + 1) = w(i + 1, i) = 1;
  return w;
}

std::vector<std::int64_t> every(Index n, Index step, std::int64_t classes) {
  std::vector<std::int64_t> labels(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; i += step) labels[static_cast<std::size_t>(i)] = i / step % classes;
  return labels;
}

TEST(LabelSpreading, IsTheClosedForm) {
  const Array2<double> w = weights_between(normal_matrix(60, 2, 1));
  const std::vector<std::int64_t> labels = every(60, 7, 3);
  for (const double alpha : {0.2, 0.9, 0.99, 0.9999})
    for (const LabelSolver solver : kSolvers) {
      const Model model = label_spreading(labeled(SimilaritiesView{w}, labels), {.alpha = alpha, .solver = solver});
      EXPECT_LT(largest_difference(model.coordinates(), spread_exactly(w, labels, alpha, 3)), 1e-9)
          << alpha << name_of(solver);
      EXPECT_LT(model.attribute<double>("residual"), 1e-12);
      EXPECT_EQ(model.attribute<std::int64_t>("n_iter") == 0, solver == LabelSolver::Factorize);
    }
}

TEST(LabelPropagation, IsTheClosedForm) {
  const Array2<double> w = weights_between(normal_matrix(60, 2, 2));
  const std::vector<std::int64_t> labels = every(60, 9, 3);
  for (const LabelSolver solver : kSolvers) {
    const Model model = label_propagation(labeled(SimilaritiesView{w}, labels), {.solver = solver});
    EXPECT_LT(largest_difference(model.coordinates(), propagated_exactly(w, labels, 3)), 1e-9) << name_of(solver);
    for (std::size_t i = 0; i < labels.size(); i += 9) EXPECT_EQ(model.labels()[i], labels[i]);
  }
}

/// Weights fall below the smallest number of a double along the way, so that the system is solved in parts; the work
/// must not grow with the number of parts times the number of points. Counted in reports, not in seconds.
TEST(LabelSpreading, AChainTakesFewRounds) {
  constexpr Index n = 3000;
  Array2<double> x(n, 1);
  for (Index i = 0; i < n; ++i) x(i, 0) = static_cast<double>(i);
  std::vector<std::int64_t> labels(n, -1);
  labels[0] = 0, labels[1] = 1;
  Index reports = 0;
  const auto counted = [&](const Progress&) { return ++reports > 0; };
  const LabelSpreadingOptions options{.n_neighbors = 2, .weights = EdgeWeights::Binary};
  const Model model = label_spreading(labeled(x, labels), options, {.progress = counted});
  EXPECT_EQ(model.attribute<std::int64_t>("unlabeled_points"), 0);
  EXPECT_LT(reports, 1500);
}

/// More points than a block of the work has (2048), so that sums are of several.
TEST(LabelSpreading, ThreadsChangeNoBitOfManyPoints) {
  const Dataset roll = make_dataset("swiss_roll", 5000);
  const std::vector<std::int64_t> labels = every(5000, 90, 3);
  for (const LabelSolver solver : kSolvers) {
    const auto found = [&](int threads) {
      return label_spreading(labeled(roll.points, labels), {.solver = solver}, {.threads = threads}).bytes();
    };
    EXPECT_EQ(found(1), found(4)) << name_of(solver);
  }
}

TEST(LabelPropagation, IsLinearAlongAPath) {
  const Array2<double> w = path_weights(101);
  std::vector<std::int64_t> labels(101, -1);
  labels.front() = 0, labels.back() = 1;
  const Model model = label_propagation(labeled(SimilaritiesView{w}, labels));
  for (Index i = 0; i < 101; ++i) EXPECT_NEAR(model.coordinates()(i, 1), static_cast<double>(i) / 100, 1e-10);
}

TEST(LabelSpreading, ClosedFormAndIterationAgreeOnNeighbors) {
  const Dataset moons = make_dataset("moons", 400);
  const std::vector<std::int64_t> labels = every(400, 57, 2);
  for (const double alpha : {0.2, 0.99}) {
    const auto by = [&](LabelSolver solver) {
      return label_spreading(labeled(moons.points, labels), {.alpha = alpha, .solver = solver});
    };
    EXPECT_LT(largest_difference(by(LabelSolver::Iterate).coordinates(), by(LabelSolver::Factorize).coordinates()),
              1e-7);
  }
  const auto by = [&](LabelSolver solver) {
    return label_propagation(labeled(moons.points, labels), {.solver = solver});
  };
  EXPECT_LT(largest_difference(by(LabelSolver::Iterate).coordinates(), by(LabelSolver::Factorize).coordinates()), 1e-7);
}

/// With alpha = 0.2 a label loses 9 parts of 10 per step: after 400 steps no double could hold the rest.
TEST(LabelSpreading, RowsFarFromAllLabelsAreAsAccurate) {
  constexpr Index kLength = 801;
  const Array2<double> w = path_weights(kLength);
  std::vector<std::int64_t> labels(kLength, -1);
  labels.front() = 5, labels.back() = 8;
  for (const LabelSolver solver : kSolvers) {
    const Model model = label_spreading(labeled(SimilaritiesView{w}, labels), {.alpha = 0.2, .solver = solver});
    for (std::size_t i = 0; i < kLength; ++i)
      if (i != kLength / 2) {
        ASSERT_EQ(model.labels()[i], i < kLength / 2 ? 5 : 8) << i << name_of(solver);
      }
    // F falls by a factor q per step, with q = alpha (1 + q^2) / 2: two steps off the middle it is q^4 : 1.
    const double q = (1 - std::sqrt(1 - 0.2 * 0.2)) / 0.2, odds = std::pow(q, 4);
    EXPECT_NEAR(model.coordinates()(kLength / 2, 0), 0.5, 1e-7);
    EXPECT_NEAR(model.coordinates()(kLength / 2 + 2, 0), odds / (1 + odds), 1e-7) << name_of(solver);
  }
}

TEST(LabelSpreading, OverrulesALabelThatItsNeighborsContradict) {
  const Dataset moons = make_dataset("moons", 200);
  std::vector<std::int64_t> labels = moons.labels;
  labels[17] = 1 - labels[17];
  const Model model = label_spreading(labeled(moons.points, labels));
  EXPECT_EQ(model.labels()[17], moons.labels[17]);
  EXPECT_GE(model.attribute<std::int64_t>("relabeled"), 1);
  const Model clamped = label_propagation(labeled(moons.points, labels));
  EXPECT_EQ(clamped.labels()[17], labels[17]);
  EXPECT_EQ(clamped.attribute<std::int64_t>("relabeled"), 0);
}

/// Two groups of five, far apart.
Array2<double> two_groups() {
  Array2<double> x(10, 1);
  for (Index i = 0; i < 10; ++i) x(i, 0) = static_cast<double>(i) + (i < 5 ? 0 : 1000);
  return x;
}

TEST(LabelSpreading, AComponentWithoutALabelSaysSo) {
  const Array2<double> x = two_groups();
  const std::vector<std::int64_t> labels{2, -1, -1, -1, 9, -1, -1, -1, -1, -1};
  for (const auto fit : {+[](const Input& input) { return label_spreading(input, {.n_neighbors = 2}); },
                         +[](const Input& input) { return label_propagation(input, {.n_neighbors = 2}); }}) {
    const Model model = fit(labeled(x, labels));
    for (std::size_t i = 5; i < 10; ++i) {
      EXPECT_EQ(model.labels()[i], -1);
      EXPECT_EQ(model.coordinates()(static_cast<Index>(i), 0), 0.5);
    }
    EXPECT_EQ(model.labels().front(), 2);
    EXPECT_EQ(model.attribute<std::int64_t>("unlabeled_points"), 5);
    EXPECT_EQ(model.attribute<std::int64_t>("unlabeled_components"), 1);
    ASSERT_TRUE(has_warning(model, "unlabeled-points"));
    EXPECT_FALSE(has_warning(model, "graph-disconnected"));
    EXPECT_NE(warning_of(model, "unlabeled-points")->message.find("row 6"), std::string::npos)
        << warning_of(model, "unlabeled-points")->message;
    // A new point there knows no more.
    EXPECT_EQ(model.predict(PointsView(&x(7, 0), 1, 1)), std::vector<Index>{-1});
    const double between = 1007.5;
    EXPECT_EQ(model.predict(PointsView(&between, 1, 1)), std::vector<Index>{-1});
    EXPECT_EQ(model.transform(PointsView(&between, 1, 1))(0, 1), 0.5);
  }
  const Model joined = label_spreading(labeled(x, labels), {.n_neighbors = 2, .components = ComponentsPolicy::Connect});
  EXPECT_FALSE(has_warning(joined, "unlabeled-points"));
}

TEST(LabelSpreading, FarQueriesHaveUniformProbabilities) {
  const Dataset moons = make_dataset("moons", 100);
  const std::vector<std::int64_t> labels = every(100, 9, 3);
  const Model model = label_spreading(labeled(moons.points, labels), {.graph = GraphKind::Full, .sigma = 0.2});
  Array2<double> far(1, 2);
  far(0, 0) = 1e6;
  for (Index c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(model.transform(far)(0, c), 1.0 / 3);
  EXPECT_EQ(model.predict(far), std::vector<Index>{-1});
  // Weights that vanish between all points are no error: every point is a component of its own.
  const Model narrow = label_spreading(labeled(moons.points, labels), {.graph = GraphKind::Full, .sigma = 1e-6});
  EXPECT_EQ(narrow.labels()[0], 0);
  EXPECT_EQ(narrow.labels()[1], -1);
}

TEST(LabelSpreading, NewPointsHaveTheMeanOfTheirNeighbors) {
  const Array2<double> x = two_groups();
  const std::vector<std::int64_t> labels{0, -1, 1, -1, 0, 1, -1, -1, -1, -1};
  const Model model = label_spreading(labeled(x, labels), {.n_neighbors = 1, .weights = EdgeWeights::Binary});
  EXPECT_EQ(model.transform(x), model.coordinates());
  EXPECT_EQ(model.predict(x), model.labels());
  const double fresh = 1.4;  // its nearest is 1, and it is within reach of 2
  for (Index c = 0; c < 2; ++c)
    EXPECT_NEAR(model.transform(PointsView(&fresh, 1, 1))(0, c),
                (model.coordinates()(1, c) + model.coordinates()(2, c)) / 2, 1e-15);
}

TEST(LabelSpreading, ClassMassIsTheShareAmongTheLabels) {
  const Array2<double> w = weights_between(normal_matrix(50, 2, 4));
  std::vector<std::int64_t> labels(50, -1);
  for (const std::size_t i : {3U, 8U, 20U, 31U}) labels[i] = i == 8 ? 1 : 0;
  const Model plain = label_propagation(labeled(SimilaritiesView{w}, labels));
  const Model scaled = label_propagation(labeled(SimilaritiesView{w}, labels), {.class_mass_normalization = true});
  double masses[2] = {0, 0};
  for (std::size_t i = 0; i < 50; ++i)
    for (Index c = 0; c < 2 && labels[i] < 0; ++c) masses[c] += plain.coordinates()(static_cast<Index>(i), c);
  for (std::size_t i = 0; i < 50; ++i) {
    const double first = 0.75 / masses[0] * plain.coordinates()(static_cast<Index>(i), 0);
    const double second = 0.25 / masses[1] * plain.coordinates()(static_cast<Index>(i), 1);
    EXPECT_NEAR(scaled.coordinates()(static_cast<Index>(i), 0), first / (first + second), 1e-12);
  }
  for (const std::size_t i : {3U, 8U, 20U, 31U}) EXPECT_EQ(scaled.labels()[i], labels[i]);
}

TEST(LabelSpreading, ClassesAreAnyNumbers) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min(), kHigh = 1'000'000'000'000;
  const Array2<double> x = two_groups();
  const std::vector<std::int64_t> labels{kHigh, -1, -1, -1, -1, kLow, -1, -1, -1, -1};
  const Model model = label_spreading(labeled(x, labels), {.n_neighbors = 2});
  EXPECT_EQ(model.attribute<std::vector<std::int64_t>>("classes"), (std::vector<std::int64_t>{kLow, kHigh}));
  EXPECT_EQ(model.labels()[3], kHigh);
  EXPECT_EQ(model.labels()[9], kLow);
  const double fresh = 1001.5;
  EXPECT_EQ(model.predict(PointsView(&fresh, 1, 1)), std::vector<Index>{kLow});
}

TEST(LabelSpreading, ErrorsSayWhatToDo) {
  const Array2<double> x = two_groups();
  const std::vector<std::int64_t> none(10, -1), few(7, 1), all(10, 1);
  const std::vector<double> targets(10, 1.5);
  expect_error(ErrorKind::InvalidData, "label_spreading: no point has a label: all of them are -1; give at least one",
               [&] { label_spreading(labeled(x, none)); });
  expect_error(ErrorKind::InvalidData, "there are 7 labels, but 10 points; give one per point, -1 where it is unknown",
               [&] { label_spreading(labeled(x, few)); });
  expect_error(ErrorKind::InvalidData, "there are 0 labels", [&] { label_propagation(x); });
  expect_error(ErrorKind::InvalidOption, "alpha=1", [&] { label_spreading(labeled(x, all), {.alpha = 1}); });
  Input input = labeled(x, all);
  input.targets = targets;
  expect_error(ErrorKind::Unsupported, "looks at labels alone", [&] { label_spreading(input); });
}

TEST(LabelSpreading, TellsWhereIterationsEndTooEarly) {
  const Dataset moons = make_dataset("moons", 200);
  const std::vector<std::int64_t> labels = every(200, 50, 2);
  const Model model = label_spreading(labeled(moons.points, labels), {.solver = LabelSolver::Iterate, .max_iter = 2});
  ASSERT_TRUE(has_warning(model, "not-converged"));
  EXPECT_NE(warning_of(model, "not-converged")->message.find("max_iter=2 was reached without convergence."),
            std::string::npos);
  EXPECT_EQ(model.attribute<std::int64_t>("n_iter"), 2);
  EXPECT_FALSE(has_warning(label_spreading(labeled(moons.points, labels)), "not-converged"));
}

/// Few labels of two moons, which are no problem for either.
TEST(LabelSpreading, FollowsTheShapeOfTheData) {
  const Dataset moons = make_dataset("moons", 600);
  std::vector<std::int64_t> labels(600, -1);
  for (std::int64_t side = 0; side < 2; ++side)
    labels[static_cast<std::size_t>(std::find(moons.labels.begin(), moons.labels.end(), side) - moons.labels.begin())] =
        side;
  const std::vector<Index> truth(moons.labels.begin(), moons.labels.end());
  EXPECT_EQ(label_spreading(labeled(moons.points, labels)).labels(), truth);
  EXPECT_EQ(label_propagation(labeled(moons.points, labels)).labels(), truth);
}

}  // namespace
}  // namespace unroll
