#include "unroll/report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "report/comparison_plan.h"
#include "support/expect_error.h"
#include "unroll/data/generators.h"
#include "unroll/registry.h"
#include "unroll/report/figures.h"

namespace unroll {
namespace {

std::vector<std::string> names_of(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const ComparedMethod& method : comparison.methods) names.push_back(method.name);
  return names;
}

const ComparedMethod& method_of(const Comparison& comparison, const std::string& name) {
  const auto found = std::find_if(comparison.methods.begin(), comparison.methods.end(),
                                  [&](const ComparedMethod& method) { return method.name == name; });
  if (found == comparison.methods.end()) throw std::runtime_error("no " + name);
  return *found;
}

const Figure& figure_of(const std::vector<Figure>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == name; });
  if (found == all.end()) throw std::runtime_error("no " + name);
  return *found;
}

Dataset roll(Index n = 300) { return make_dataset("swiss_roll", n); }

TEST(Compare, RunsEveryMethodOfTheRegistry) {
  const Dataset data = roll();
  const Comparison result = compare(data.points, {.coordinates = data.truth});
  std::vector<std::string> expected;
  for (const Method& method : methods())
    if (method.kind != MethodKind::Labels) expected.push_back(method.name);
  std::vector<std::string> names = names_of(result);
  EXPECT_EQ((std::vector<std::string>{names[0], names[1]}), (std::vector<std::string>{"pca", "mds"}))
      << "the cheapest first";
  EXPECT_EQ(names.back(), "spectral_clustering");
  std::sort(names.begin(), names.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names, expected);
  EXPECT_EQ(result.n_points, 300);
  EXPECT_EQ(result.n_features, 3);
  EXPECT_EQ(result.n_neighbors, 10);
  EXPECT_EQ(result.measured_points, 300);
  for (const ComparedMethod& method : result.methods) {
    SCOPED_TRACE(method.name);
    ASSERT_FALSE(method.error) << method.error->what();
    EXPECT_FALSE(method.title.empty());
    EXPECT_EQ(method.coordinates.rows(), 300);
    EXPECT_GT(method.seconds, 0);
    const bool is_clustering = !method.clusters.empty();
    EXPECT_EQ(is_clustering, method.name == "spectral_clustering");
    EXPECT_EQ(method.quality.has_value(), !is_clustering);
    if (is_clustering) continue;
    EXPECT_EQ(method.coordinates.cols(), 2);
    EXPECT_GT(method.quality->trustworthiness.value, 0.4);
    EXPECT_EQ(method.quality->truth->affine_r2.size(), 2U);
  }
}

TEST(Compare, MapsAndMeasuresAreThoseOfTheMethodsAlone) {
  const Dataset data = roll();
  const Comparison result =
      compare(data.points, {.coordinates = data.truth},
              {.methods = {"isomap", "pca"}, .n_components = 3, .n_neighbors = {7}, .quality_neighbors = 7});
  EXPECT_EQ(names_of(result), (std::vector<std::string>{"isomap", "pca"}));
  const Model isomap =
      find_method("isomap").fit(data.points, {{"n_components", std::int64_t{3}}, {"n_neighbors", std::int64_t{7}}}, {});
  const ComparedMethod& ours = method_of(result, "isomap");
  EXPECT_EQ(ours.coordinates, isomap.coordinates());
  const QualityOptions options{.n_neighbors = 7};
  EXPECT_EQ(ours.quality->trustworthiness.value, trustworthiness(data.points, isomap.coordinates(), options).value);
  EXPECT_EQ(ours.quality->continuity.value, continuity(data.points, isomap.coordinates(), options).value);
  EXPECT_EQ(ours.quality->truth->affine_r2, affine_r2(isomap.coordinates(), data.truth));
}

TEST(Compare, OneThatFailsDoesNotStopTheOthers) {
  const Dataset data = roll(30);
  const Comparison result =
      compare(data.points, {}, {.methods = {"isomap", "pca"}, .n_neighbors = {30}, .quality_neighbors = 30});
  const ComparedMethod& failed = method_of(result, "isomap");
  ASSERT_TRUE(failed.error);
  EXPECT_EQ(failed.error->kind(), ErrorKind::InvalidOption);
  EXPECT_NE(std::string(failed.error->what()).find("n_neighbors=30"), std::string::npos) << failed.error->what();
  EXPECT_EQ(failed.coordinates.rows(), 0);
  EXPECT_FALSE(failed.quality);
  EXPECT_FALSE(method_of(result, "pca").error);
  EXPECT_EQ(result.n_neighbors, 14) << "as many as 30 points allow";
  for (const Figure& figure : figures(result)) {
    EXPECT_FALSE(figure.values[0]) << figure.name;
    EXPECT_TRUE(figure.values[1]) << figure.name;
    EXPECT_FALSE(figure.is_best(1)) << "of one";
  }
}

TEST(Compare, ScaledPointsAreThoseOfTheMethodsAlone) {
  const Dataset data = roll(100);
  const Comparison result = compare(data.points, {}, {.methods = {"isomap", "lle"}, .scale = Scaling::Standardize});
  for (const ComparedMethod& method : result.methods) {
    ASSERT_FALSE(method.error) << method.error->what();
    const Model alone = find_method(method.name).fit(data.points, {{"scale", std::string("standardize")}}, {});
    EXPECT_EQ(method.coordinates, alone.coordinates()) << method.name;
  }
}

TEST(Compare, ManyComponentsNeedMoreNeighborsThanTheDefault) {
  const Dataset data = make_dataset("linear_subspace", 100);
  const Comparison result = compare(data.points, {}, {.methods = {"isomap", "hlle"}, .n_components = 4});
  for (const ComparedMethod& method : result.methods) EXPECT_FALSE(method.error) << method.error->what();
}

TEST(Compare, ProgressNeverGoesBack) {
  const Dataset data = roll(100);
  double reached = 0;
  compare(data.points, {}, {.methods = {"isomap", "lle", "ltsa"}}, {.progress = [&](const Progress& progress) {
            EXPECT_GE(progress.fraction, reached) << progress.stage;
            reached = progress.fraction;
            return true;
          }});
  EXPECT_GT(reached, 0.6);
}

TEST(Compare, LabelsTellHowManyClusters) {
  const Dataset data = make_dataset("moons", 200);
  ASSERT_EQ(data.labels.size(), 200U);
  const Comparison result = compare(data.points, {.labels = data.labels}, {.n_neighbors = {6}});
  const ComparedMethod& clustering = result.methods.back();
  EXPECT_EQ(*std::max_element(clustering.clusters.begin(), clustering.clusters.end()), 1);
  ASSERT_TRUE(clustering.rand_index);
  EXPECT_GT(*clustering.rand_index, 0.9);
  EXPECT_TRUE(clustering.conductance);
  const std::vector<Figure> all = figures(result);
  EXPECT_EQ(figure_of(all, "adjusted_rand_index").values.back(), clustering.rand_index);
  EXPECT_TRUE(figure_of(all, "label_accuracy").values.front());
  const Comparison asked =
      compare(data.points, {.labels = data.labels}, {.methods = {"spectral-clustering"}, .n_clusters = 4});
  EXPECT_EQ(*std::max_element(asked.methods[0].clusters.begin(), asked.methods[0].clusters.end()), 3);
}

TEST(Compare, LabelsThatAreNoClassesDoNot) {
  const Dataset data = make_dataset("moons", 200);
  const auto clustered = [&](Index labels) {
    std::vector<std::int64_t> some(200);
    for (Index i = 0; i < 200; ++i) some[static_cast<std::size_t>(i)] = i % labels;
    return compare(data.points, {.labels = some}, {.methods = {"pca", "spectral_clustering"}}).methods;
  };
  const auto many_labels = [](const ComparedMethod& method) {
    return std::count_if(method.warnings.begin(), method.warnings.end(),
                         [](const Warning& warning) { return warning.code == "many-labels"; });
  };
  const std::vector<ComparedMethod> some = clustered(40);
  EXPECT_EQ(*std::max_element(some[1].clusters.begin(), some[1].clusters.end()), 39);
  EXPECT_EQ(many_labels(some[1]), 0);
  const std::vector<ComparedMethod> many = clustered(41);
  const Model by_default = find_method("spectral_clustering").fit(data.points, {{"n_neighbors", std::int64_t{10}}}, {});
  EXPECT_EQ(many[1].coordinates, by_default.coordinates());
  EXPECT_EQ(many_labels(many[0]), 0);
  EXPECT_EQ(many_labels(many[1]), 1);
  EXPECT_TRUE(many[1].rand_index);
}

TEST(Compare, ATrueCoordinateThatDoesNotVaryTellsNothing) {
  const Dataset data = roll(100);
  Array2<double> truth = data.truth;
  for (Index i = 0; i < 100; ++i) truth(i, 1) = 0.1;
  const Comparison one = compare(data.points, {.coordinates = truth}, {.methods = {"pca", "isomap"}});
  EXPECT_EQ(figure_of(figures(one), "affine_r2").values[1], one.methods[1].quality->truth->affine_r2[0]);
  EXPECT_LT(one.methods[1].quality->truth->affine_r2[0], 1);
  for (Index i = 0; i < 100; ++i) truth(i, 0) = 3;
  const std::vector<Figure> all = figures(compare(data.points, {.coordinates = truth}, {.methods = {"pca"}}));
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](const Figure& figure) { return figure.name == "affine_r2"; }));
}

TEST(Compare, FiguresAreThoseThatAreKnown) {
  const Dataset data = roll(100);
  const auto names = [](const std::vector<Figure>& all) {
    std::vector<std::string> result;
    result.reserve(all.size());
    for (const Figure& figure : all) result.push_back(figure.name);
    return result;
  };
  const std::vector<std::string> two{"pca", "isomap"};
  EXPECT_EQ(names(figures(compare(data.points, {}, {.methods = two}))),
            (std::vector<std::string>{"seconds", "trustworthiness", "continuity"}));
  const std::vector<Figure> all = figures(compare(data.points, {.coordinates = data.truth}, {.methods = two}));
  EXPECT_EQ(names(all), (std::vector<std::string>{"seconds", "trustworthiness", "continuity", "true_distance_pearson",
                                                  "affine_r2"}));
  for (const Figure& figure : all) {
    EXPECT_LE(figure.heading.size(), 8U);
  }
}

TEST(Compare, BestIsNotForTimes) {
  const Dataset data = roll(400);
  const std::vector<Figure> all =
      figures(compare(data.points, {.coordinates = data.truth}, {.methods = {"pca", "isomap"}}));
  const Figure &seconds = figure_of(all, "seconds"), &distances = figure_of(all, "true_distance_pearson");
  EXPECT_FALSE(seconds.is_best(0) || seconds.is_best(1));
  EXPECT_FALSE(distances.is_best(0));
  EXPECT_TRUE(distances.is_best(1));
}

TEST(Compare, AMatrixOfDistancesIsForThoseWhoTakeIt) {
  const Dataset data = roll(60);
  Array2<double> distances(60, 60);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j)
      distances(i, j) = std::hypot(data.points(i, 0) - data.points(j, 0), data.points(i, 1) - data.points(j, 1),
                                   data.points(i, 2) - data.points(j, 2));
  const Comparison result = compare(distances, {}, {.metric = Metric::Precomputed});
  const std::vector<std::string> names = names_of(result);
  EXPECT_EQ(std::count(names.begin(), names.end(), "pca"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "mds"), 1);
  for (const ComparedMethod& method : result.methods) EXPECT_FALSE(method.error) << method.name;
  expect_error(ErrorKind::Unsupported, "pca has no metric precomputed",
               [&] { compare(distances, {}, {.methods = {"pca"}, .metric = Metric::Precomputed}); });
  expect_error(ErrorKind::InvalidData, "60", [&] { compare(data.points, {}, {.metric = Metric::Precomputed}); });
}

TEST(Compare, ThreadsDoNotChangeMaps) {
  const Dataset data = roll(200);
  const Comparison one = compare(data.points, {}, {}, {.threads = 1});
  const Comparison three = compare(data.points, {}, {}, {.threads = 3});
  ASSERT_EQ(one.methods.size(), three.methods.size());
  for (std::size_t i = 0; i < one.methods.size(); ++i) {
    EXPECT_EQ(one.methods[i].coordinates, three.methods[i].coordinates) << one.methods[i].name;
    EXPECT_EQ(one.methods[i].clusters, three.methods[i].clusters) << one.methods[i].name;
  }
}

TEST(Compare, ProgressOnlyGrowsAndNamesEveryMethod) {
  const Dataset data = roll(100);
  std::vector<std::string> stages;
  double last = 0;
  unroll::Run run;
  run.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.fraction, last);
    EXPECT_LE(progress.fraction, 1);
    last = progress.fraction;
    if (stages.empty() || stages.back() != progress.stage) stages.emplace_back(progress.stage);
    return true;
  };
  compare(data.points, {}, {.methods = {"pca", "isomap"}}, run);
  // The first look at the points has stages of its own.
  ASSERT_GE(stages.size(), 2U);
  EXPECT_EQ(stages[stages.size() - 2], "pca (1 of 2)");
  EXPECT_EQ(stages.back(), "isomap (2 of 2)");
}

TEST(Compare, CanBeStopped) {
  const Dataset data = roll(100);
  unroll::Run run;
  run.progress = [](const Progress& progress) { return progress.stage != "isomap (2 of 2)"; };
  expect_error(ErrorKind::Cancelled, "", [&] { compare(data.points, {}, {.methods = {"pca", "isomap"}}, run); });
}

TEST(Compare, WhatIsFinishedIsKeptWhenItIsStopped) {
  const Dataset data = roll(100);
  unroll::Run run;
  run.progress = [](const Progress& progress) { return progress.stage != "lle (3 of 4)"; };
  Comparer comparer(data.points, {}, {.methods = {"pca", "isomap", "lle", "ltsa"}}, run);
  EXPECT_EQ(comparer.labels(), (std::vector<std::string>{"pca", "isomap", "lle", "ltsa"}));
  EXPECT_TRUE(comparer.next());
  EXPECT_EQ(names_of(comparer.result()), std::vector<std::string>{"pca"});
  EXPECT_TRUE(comparer.next());
  expect_error(ErrorKind::Cancelled, "", [&] { comparer.next(); });
  const Comparison kept = comparer.take();
  EXPECT_EQ(names_of(kept), (std::vector<std::string>{"pca", "isomap"}));
  EXPECT_EQ(kept.planned, 4);
  EXPECT_TRUE(kept.random);
  EXPECT_EQ(kept.methods[1].coordinates, find_method("isomap").fit(data.points, {}, {}).coordinates());
}

TEST(Compare, FewPointsHaveNoMeasures) {
  const Array2<double> two(2, 3);
  Array2<double> points = two;
  points(1, 0) = 1;
  const Comparison result = compare(points, {}, {.methods = {"pca"}, .n_components = 1});
  EXPECT_FALSE(result.methods[0].error);
  EXPECT_FALSE(result.methods[0].quality);
  EXPECT_EQ(figures(result).size(), 1U);
}

TEST(Compare, RefusesWhatConcernsAll) {
  const Dataset data = roll(50);
  expect_error(ErrorKind::InvalidOption, "there is no method 'isomp'; did you mean 'isomap'?",
               [&] { compare(data.points, {}, {.methods = {"isomp"}}); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors=0", [&] { compare(data.points, {}, {.n_neighbors = {0}}); });
  expect_error(ErrorKind::InvalidData, "50 points but 2 labels", [&] { compare(data.points, {.labels = {0, 1}}); });
  expect_error(ErrorKind::InvalidData, "true coordinates of 20",
               [&] { compare(data.points, {.coordinates = PointsView(data.truth).slice(0, 20)}); });
  Array2<double> bad = data.points;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorKind::InvalidData, "NaN", [&] { compare(bad); });
  expect_error(ErrorKind::InvalidData, "true coordinates", [&] { compare(data.points, {.coordinates = bad}); });
}

// SNE computes all pairs in more than two dimensions.
TEST(ComparisonPlan, WhatTakesLongIsRunIfItIsNamed) {
  const auto runs = [](const ComparisonOptions& options, Index n) {
    const ComparisonPlan plan = plan_comparison(options, {}, n);
    return std::count_if(plan.runs.begin(), plan.runs.end(), [](const PlannedRun& run) { return run.label == "sne"; });
  };
  EXPECT_EQ(runs({}, 20'000), 1);
  EXPECT_EQ(runs({}, 20'001), 0);
  EXPECT_EQ(plan_comparison({}, {}, 20'001).notes,
            (std::vector<std::string>{
                "isomap, kernel_pca: run by 1000 landmarks, 20001 points take long; "
                "name them among the methods to run them on all",
                "metric_mds, nonmetric_mds, sammon, mvu, sne, autoencoder: not run, 20001 points take long; "
                "name them among the methods to run them anyway"}));
  EXPECT_EQ(
      plan_comparison({}, {}, 2000).notes,
      std::vector<std::string>{"mvu: not run, 2000 points take long; name it among the methods to run it anyway"});
  EXPECT_EQ(runs({.methods = {"sne"}}, 20'001), 1);
}

TEST(ComparisonPlan, WhatTakesLongIsRunByLandmarksIfItCan) {
  const auto label = [](const ComparisonOptions& options, Index n) {
    for (const PlannedRun& run : plan_comparison(options, {}, n).runs)
      if (run.method->name == "isomap") return run.label;
    return std::string();
  };
  EXPECT_EQ(label({}, 10'000), "isomap");
  EXPECT_EQ(label({}, 10'001), "isomap:n_landmarks=1000");
  EXPECT_EQ(label({.methods = {"isomap"}}, 10'001), "isomap");
}

}  // namespace
}  // namespace unroll
