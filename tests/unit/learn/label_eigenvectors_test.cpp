#include "unroll/learn/label_eigenvectors.h"

#include <gtest/gtest.h>

#include "learn/label_regression.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

Input with_labels(const Array2<double>& x, std::span<const std::int64_t> labels) {
  Input input(x);
  input.labels = labels;
  return input;
}

TEST(ClassFunctions, AreLeastSquares) {
  Array2<double> line(1, 5);
  for (Index i = 0; i < 5; ++i) line(0, i) = static_cast<double>(i);
  // 0, 0, 1 at 0, 1, 4: the line through them has slope 7/26 and goes through the means (5/3, 1/3).
  const Array2<double> found = class_functions(line, {0, 0, -1, -1, 1}, 2);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(found(i, 1), 1.0 / 3 + 7.0 / 26 * (static_cast<double>(i) - 5.0 / 3), 1e-12);
    EXPECT_NEAR(found(i, 0) + found(i, 1), 1, 1e-12);
  }
}

TEST(ClassFunctions, MoreFunctionsThanLabelsAreDetermined) {
  const Array2<double> functions = normal_matrix(6, 40, 3);
  std::vector<Index> places(40, -1);
  places[2] = 0, places[11] = 1, places[30] = 1;
  const Array2<double> found = class_functions(functions, places, 2);
  for (const std::size_t i : {2U, 11U, 30U}) EXPECT_NEAR(found(static_cast<Index>(i), places[i]), 1, 1e-9);
  for (Index i = 0; i < 40; ++i) EXPECT_TRUE(std::isfinite(found(i, 0)));
}

TEST(LabelEigenvectors, FewLabelsAreEnoughForMoons) {
  const Dataset moons = make_dataset("moons", 600, 0, {{"noise", 0.12}});
  std::vector<std::int64_t> labels(600, -1);
  for (std::size_t i = 0; i < 600; i += 31) labels[i] = moons.labels[i];
  const Model model = label_eigenvectors(with_labels(moons.points, labels));
  ASSERT_EQ(model.attribute<std::int64_t>("components"), 1);
  Index right = 0;
  for (std::size_t i = 0; i < 600; ++i) right += model.labels()[i] == moons.labels[i] ? 1 : 0;
  EXPECT_GE(right, 570);
  EXPECT_EQ(model.predict(moons.points), model.labels());
  ASSERT_FALSE(model.embedding().spectrum.values.empty());
  EXPECT_TRUE(std::is_sorted(model.embedding().spectrum.values.begin(), model.embedding().spectrum.values.end()));
}

TEST(LabelEigenvectors, ComponentsAreJudgedByThemselves) {
  Array2<double> x(30, 2);
  for (Index i = 0; i < 30; ++i) {
    const Index part = i / 10, place = i % 10;
    x(i, 0) = static_cast<double>(place);
    x(i, 1) = 1000.0 * static_cast<double>(part);
  }
  std::vector<std::int64_t> labels(30, -1);
  labels[0] = 4, labels[9] = 5;  // two classes, then one, then none
  labels[13] = 5;
  const Model model = label_eigenvectors(with_labels(x, labels), {.n_neighbors = 2});
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(model.labels()[i], i < 5 ? 4 : i < 20 ? 5 : -1) << i;
  EXPECT_TRUE(has_warning(model, "unlabeled-points"));
}

TEST(LabelEigenvectors, AnyNumberOfEigenvectors) {
  const Dataset moons = make_dataset("moons", 120);
  std::vector<std::int64_t> labels(120, -1);
  for (std::size_t i = 0; i < 120; i += 21) labels[i] = moons.labels[i];
  for (const std::int64_t count : {1, 5, 50, 119, 4000}) {
    const Model model = label_eigenvectors(with_labels(moons.points, labels), {.n_eigenvectors = count});
    EXPECT_EQ(std::ssize(model.embedding().spectrum.values), std::min<Index>(count, 119));
    for (Index i = 0; i < 120; ++i) EXPECT_NEAR(model.coordinates()(i, 0) + model.coordinates()(i, 1), 1, 1e-12);
  }
}

TEST(LabelEigenvectors, ManyLabelsTakeNoMoreThan200) {
  const Dataset moons = make_dataset("moons", 1040, 0, {{"noise", 0.3}});
  const Model model = label_eigenvectors(with_labels(moons.points, moons.labels));
  ASSERT_EQ(model.attribute<std::int64_t>("components"), 1);
  EXPECT_EQ(std::ssize(model.embedding().spectrum.values), 200);
}

TEST(LabelEigenvectors, EigenvaluesOfRoundingAreNoRoots) {
  for (Index n = 4; n < 40; n += 2) {
    Array2<double> w(n, n);  // two parts, and all but nothing between them: the eigenvalue is 0, give or take
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        w(i, j) = i == j ? 0 : i % 2 == j % 2 ? 1.0 + 0.1 * static_cast<double>(i * j % 7) : 1e-19;
    std::vector<std::int64_t> labels(static_cast<std::size_t>(n), -1);
    labels[0] = 0, labels[1] = 1;
    Input input = SimilaritiesView{w};
    input.labels = labels;
    const Model model = label_eigenvectors(input, {.n_eigenvectors = 1, .weights = EdgeWeights::Precomputed});
    for (Index i = 0; i < n; ++i) EXPECT_EQ(model.labels()[static_cast<std::size_t>(i)], i % 2) << n;
  }
}

TEST(LabelEigenvectors, WordsOfTheClassesAreKept) {
  const Dataset moons = make_dataset("moons", 60);
  const Model model = label_eigenvectors(with_labels(moons.points, moons.labels));
  const Model named = model.with_features({.classes = {"left", "right\nof it"}});
  const Model again = load_model(named.bytes(), "memory");
  EXPECT_EQ(again.features().classes, (std::vector<std::string>{"left", "right\nof it"}));
  EXPECT_EQ(again.labels(), model.labels());
  EXPECT_EQ(again.predict(moons.points), model.labels());
  EXPECT_THROW(model.with_features({.classes = {"one"}}), Error);
}

}  // namespace
}  // namespace unroll
