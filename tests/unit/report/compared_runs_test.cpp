#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/expect_error.h"
#include "unroll/data/generators.h"
#include "unroll/graph/graph_quantities.h"
#include "unroll/registry.h"
#include "unroll/report/comparison.h"
#include "unroll/report/figures.h"

// Which runs a comparison makes of its options, and what they share.
namespace unroll {
namespace {

Dataset swiss_roll(Index n) { return make_dataset("swiss_roll", n); }

/// Labels and coordinates of a comparison with these options.
std::vector<std::pair<std::string, Array2<double>>> maps_of(const Dataset& data, const ComparisonOptions& options) {
  std::vector<std::pair<std::string, Array2<double>>> maps;
  for (const ComparedMethod& method : compare(data.points, {}, options).methods) {
    EXPECT_FALSE(method.error) << method.error->what();
    maps.emplace_back(method.label, method.coordinates);
  }
  return maps;
}

OptionValues neighbors_option(std::int64_t k) { return {{"n_neighbors", k}}; }

TEST(ComparedRuns, MethodsThatUseNeighborsAreRunForEachNumberOfThem) {
  const Dataset data = swiss_roll(200);
  const auto maps = maps_of(data, {.methods = {"pca", "isomap", "ltsa:k=9", "lle"}, .n_neighbors = {12, 7}});
  std::vector<std::string> labels;
  for (const auto& [label, map] : maps) labels.push_back(label);
  EXPECT_EQ(labels, (std::vector<std::string>{"pca", "isomap:k=12", "isomap:k=7", "ltsa:k=9", "lle:k=12", "lle:k=7"}));
  // What was found once, with the largest k, is for each what it would have found itself.
  EXPECT_EQ(maps[1].second, find_method("isomap").fit(data.points, neighbors_option(12), {}).coordinates());
  EXPECT_EQ(maps[2].second, find_method("isomap").fit(data.points, neighbors_option(7), {}).coordinates());
  EXPECT_EQ(maps[3].second, find_method("ltsa").fit(data.points, neighbors_option(9), {}).coordinates());
  EXPECT_EQ(maps[5].second, find_method("lle").fit(data.points, neighbors_option(7), {}).coordinates());
}

TEST(ComparedRuns, OptionsOfOneMethodAreItsOwn) {
  const Dataset data = swiss_roll(200);
  const auto maps = maps_of(data, {.methods = {"kernel_pca:kernel=poly,degree=2", "kernel_pca", "isomap:d=3,radius=9",
                                               "laplacian_eigenmaps:graph=full", "laplacian_eigenmaps:n_landmarks=50",
                                               "isomap:metric=manhattan", "pca:scale=standardize"},
                                   .n_neighbors = {8, 9}});
  const auto alone = [&](const char* method, const OptionValues& options) {
    return find_method(method).fit(data.points, options, {}).coordinates();
  };
  ASSERT_EQ(maps.size(), 9U);
  EXPECT_EQ(maps[0].second, alone("kernel_pca", {{"kernel", std::string("poly")}, {"degree", std::int64_t{2}}}));
  EXPECT_EQ(maps[1].second, alone("kernel_pca", {}));
  EXPECT_EQ(maps[2].second, alone("isomap", {{"n_components", std::int64_t{3}}, {"radius", 9.0}}));
  EXPECT_EQ(maps[3].second, alone("laplacian_eigenmaps", {{"graph", std::string("full")}}));
  EXPECT_EQ(maps[4].first, "laplacian_eigenmaps:n_landmarks=50,k=8");
  EXPECT_EQ(maps[5].second,
            alone("laplacian_eigenmaps", {{"n_landmarks", std::int64_t{50}}, {"n_neighbors", std::int64_t{9}}}));
  EXPECT_EQ(maps[7].second, alone("isomap", {{"metric", std::string("manhattan")}, {"n_neighbors", std::int64_t{9}}}));
  EXPECT_EQ(maps[8].second, alone("pca", {{"scale", std::string("standardize")}}));
}

TEST(ComparedRuns, TheSameTwiceIsRunOnce) {
  const auto maps = maps_of(swiss_roll(60), {.methods = {"pca", "pca", "isomap:k=5", "isomap:n_neighbors=5"}});
  ASSERT_EQ(maps.size(), 2U);
  EXPECT_EQ(maps[1].first, "isomap:k=5");
}

TEST(ComparedRuns, EveryMethodSaysHowManyNeighborsItNeeds) {
  for (const Method& method : methods()) {
    const bool has_neighbors = std::any_of(method.options.begin(), method.options.end(),
                                           [](const OptionInfo& info) { return info.name == "n_neighbors"; });
    ASSERT_EQ(method.min_neighbors != nullptr, has_neighbors) << method.name;
    if (!has_neighbors || method.kind != MethodKind::Map) continue;
    const Dataset data = make_dataset("linear_subspace", 100);
    OptionValues options;
    for (const OptionInfo& info : method.options)  // a graph in parts is no error
      if (info.name == "components" && to_text(info.default_value) == "error")
        options.push_back({info.name, std::string("separate")});
    for (const std::int64_t d : {1, 2, 4}) {
      SCOPED_TRACE(method.name + ", " + std::to_string(d));
      const Index least = method.min_neighbors(d);
      OptionValues fewest = options;
      fewest.insert(fewest.end(), {{"n_components", d}, {"n_neighbors", std::int64_t{least}}});
      EXPECT_NO_THROW(method.fit(data.points, fewest, {}));
      if (least > 1)
        expect_error(ErrorKind::InvalidOption, "must be at least " + std::to_string(least), [&] {
          method.fit(data.points, {{"n_components", d}, {"n_neighbors", least - 1}}, {});
        });
    }
  }
}

TEST(ComparedRuns, NeighborsAreFoundOnceForAllThatNeedThem) {
  const Dataset data = make_dataset("linear_subspace", 100);
  const Comparison result = compare(data.points, {}, {.methods = {"isomap", "hlle"}, .n_components = 4});
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("the 15 nearest neighbors of every point were found once"), std::string::npos)
      << "as many as hlle needs for four components: " << result.notes[0];
  EXPECT_EQ(result.methods[0].coordinates,
            find_method("isomap").fit(data.points, {{"n_components", std::int64_t{4}}}, {}).coordinates());
}

TEST(ComparedRuns, BaselinesAreChanceAndTheData) {
  const Dataset data = make_dataset("moons", 300);
  const Comparison result = compare(data.points, {.labels = data.labels}, {.methods = {"pca", "spectral_clustering"}});
  ASSERT_TRUE(result.random && result.random->labels);
  EXPECT_NEAR(result.random->trustworthiness.value, 0.5, 0.05);
  EXPECT_NEAR(result.random->continuity.value, 0.5, 0.05);
  EXPECT_NEAR(result.random->labels->accuracy, 0.5, 0.15);
  const std::vector<Figure> all = figures(result);
  const auto found = std::find_if(all.begin(), all.end(), [](const Figure& f) { return f.name == "label_accuracy"; });
  ASSERT_NE(found, all.end());
  const Figure& labels = *found;
  EXPECT_EQ(labels.random, result.random->labels->accuracy);
  EXPECT_EQ(labels.data, label_accuracy(data.points, data.labels));
  EXPECT_FALSE(compare(data.points, {}, {.methods = {"spectral_clustering"}}).random) << "there is no map";
}

TEST(ComparedRuns, ClustersAreMeasuredInOneGraph) {
  const Dataset data = make_dataset("roll_clusters", 300);
  const Comparison result =
      compare(data.points, {},
              {.methods = {"spectral_clustering", "spectral_clustering:k=30", "spectral_clustering:n_clusters=1"}});
  const WeightedGraph graph = weighted_graph(data.points, {.n_neighbors = 10, .bandwidth = Bandwidth::SelfTuning});
  for (const std::size_t i : {0U, 1U}) {
    double largest = 0;
    const std::vector<Index> labels(result.methods[i].clusters.begin(), result.methods[i].clusters.end());
    for (const Cut& cut : cuts_of(graph, labels)) largest = std::max(largest, cut.conductance);
    EXPECT_EQ(result.methods[i].conductance, largest) << i;
  }
  const Model alone = find_method("spectral_clustering").fit(data.points, {}, {});
  EXPECT_NEAR(*result.methods[0].conductance, alone.attribute<double>("largest_conductance"), 1e-12);
  EXPECT_FALSE(result.methods[2].error);
  EXPECT_FALSE(result.methods[2].conductance) << "one cluster has no other side";
}

TEST(ComparedRuns, ScalesBeforeTheMeasures) {
  Dataset data = swiss_roll(150);
  for (Index i = 0; i < 150; ++i) data.points(i, 1) *= 1000;  // in another unit
  const Comparison result = compare(data.points, {}, {.methods = {"pca"}, .scale = Scaling::Standardize});
  const Comparison bare = compare(data.points, {}, {.methods = {"pca:scale=standardize"}});
  EXPECT_EQ(result.methods[0].coordinates, bare.methods[0].coordinates);
  EXPECT_GT(result.methods[0].quality->trustworthiness.value, bare.methods[0].quality->trustworthiness.value + 0.1);
}

}  // namespace
}  // namespace unroll
