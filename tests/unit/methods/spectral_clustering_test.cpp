// Spectral clustering: graphs in parts, clouds, moons and circles, new points, degenerate data, what is refused.
#include "unroll/methods/spectral_clustering.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "unroll/data/generators.h"
#include "unroll/neighbors/components.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

using ClusterOptions = SpectralClusteringOptions;
constexpr std::array kClusterLaplacians{Laplacian::Unnormalized, Laplacian::RandomWalk, Laplacian::Symmetric};

/// Labels by the order in which they appear.
std::vector<Index> in_order(const std::vector<Index>& labels) {
  std::map<Index, Index> numbers;
  std::vector<Index> result;
  for (const Index label : labels) result.push_back(numbers.emplace(label, std::ssize(numbers)).first->second);
  return result;
}

/// Clouds around places that are 20 of their widths apart, mixed row by row.
Array2<double> clouds(Index count, Index each, std::uint64_t seed) {
  Array2<double> x = normal_matrix(count * each, 3, seed);
  for (Index i = 0; i < x.rows(); ++i) {
    const Index place = i % count, row = place / 3, column = place % 3;
    x(i, 0) += 20 * static_cast<double>(column);
    x(i, 1) += 20 * static_cast<double>(row);
  }
  return x;
}
std::vector<Index> cloud_labels(Index count, Index each) {
  std::vector<Index> labels;
  for (Index i = 0; i < count * each; ++i) labels.push_back(i % count);
  return labels;
}

/// Full blocks of weight 1, joined by `bridge`.
Array2<double> blocks(Index count, Index each, double bridge) {
  Array2<double> w(count * each, count * each);
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j) w(i, j) = i == j ? 0 : i / each == j / each ? 1 : bridge;
  return w;
}

TEST(SpectralClustering, PartsOfAGraphAreItsClusters) {
  const Array2<double> x = clouds(5, 40, 1);
  for (const Laplacian laplacian : kClusterLaplacians) {
    const Model found = spectral_clustering(x, {.n_clusters = 5, .laplacian = laplacian});
    ASSERT_EQ(found.attribute<std::int64_t>("components"), 5);
    EXPECT_EQ(found.labels(), cloud_labels(5, 40)) << name_of(laplacian);
    EXPECT_EQ(found.attribute<double>("largest_conductance"), 0);
    EXPECT_EQ(found.attribute<std::int64_t>("suggested_clusters"), 5);
    EXPECT_NEAR(found.attribute<double>("inertia"), 0, 1e-20);
  }
}

TEST(SpectralClustering, SuggestsAtLeastTheParts) {
  for (const Index parts : {7, 12, 130}) {
    const Model found =
        spectral_clustering(blocks(parts, 3, 0), {.n_clusters = 2, .weights = EdgeWeights::Precomputed});
    EXPECT_EQ(found.attribute<std::int64_t>("suggested_clusters"), parts);
  }
  // Twelve parts, each of two clouds that hardly hang together.
  Array2<double> pairs(120, 120);
  for (Index i = 0; i < 120; ++i)
    for (Index j = 0; j < 120; ++j)
      pairs(i, j) = i == j || i / 10 != j / 10 ? 0 : i / 5 == j / 5 ? 1 : i < 40 ? 1e-3 : 1;
  const Model found = spectral_clustering(pairs, {.n_clusters = 2, .weights = EdgeWeights::Precomputed});
  EXPECT_EQ(found.attribute<std::int64_t>("suggested_clusters"), 16);
}

TEST(SpectralClustering, CloudsOfAConnectedGraph) {
  const Array2<double> x = clouds(4, 50, 2);
  for (const Laplacian laplacian : kClusterLaplacians)
    for (const GraphKind graph : {GraphKind::Neighbors, GraphKind::Full}) {
      const Model found = spectral_clustering(x, {.n_clusters = 4,
                                                  .graph = graph,
                                                  .sigma = 4.0,
                                                  .laplacian = laplacian,
                                                  .components = ComponentsPolicy::Connect});
      ASSERT_EQ(found.attribute<std::int64_t>("components"), 1);
      EXPECT_EQ(found.labels(), cloud_labels(4, 50)) << name_of(laplacian) << " " << name_of(graph);
      EXPECT_EQ(found.attribute<std::int64_t>("suggested_clusters"), 4);
      EXPECT_EQ(found.attribute<std::vector<std::int64_t>>("cluster_sizes"), std::vector<std::int64_t>(4, 50));
    }
}

TEST(SpectralClustering, MoonsAndCircles) {
  for (const char* name : {"moons", "circles"})
    for (const std::uint64_t seed : {0U, 1U, 2U}) {
      const Dataset data = make_dataset(name, 600, seed);
      const Model found = spectral_clustering(data.points, {.n_clusters = 2});
      EXPECT_EQ(found.labels(), in_order({data.labels.begin(), data.labels.end()})) << name << seed;
      EXPECT_EQ(found.attribute<std::int64_t>("suggested_clusters"), 2) << name << seed;
    }
}

TEST(SpectralClustering, ConductanceOfBlocks) {
  // Volume of a block of 6: 6 (5 + 6 b); of the edges that leave it: 36 b.
  const double b = 0.01;
  const Model found = spectral_clustering(blocks(2, 6, b), {.n_clusters = 2, .weights = EdgeWeights::Precomputed});
  const double expected = 36 * b / (6 * (5 + 6 * b));
  for (const double cut : found.attribute<std::vector<double>>("conductance")) EXPECT_NEAR(cut, expected, 1e-14);
  // Eigenvalues of the symmetric Laplacian: 0, 1 - (5 - 6 b) / (5 + 6 b), and 1 + 1 / (5 + 6 b) for all others.
  const std::vector<double>& values = found.embedding().spectrum.values;
  ASSERT_EQ(values.size(), 7U);
  EXPECT_NEAR(values[1], 12 * b / (5 + 6 * b), 1e-12);
  for (std::size_t k = 2; k < 7; ++k) EXPECT_NEAR(values[k], 1 + 1 / (5 + 6 * b), 1e-12);
}

TEST(SpectralClustering, RowsHaveLengthOne) {
  const Model found = spectral_clustering(clouds(3, 40, 3), {.n_clusters = 3, .n_neighbors = 60, .n_init = 0});
  const Array2<double>& y = found.coordinates();
  ASSERT_EQ(y.cols(), 3);
  for (Index i = 0; i < y.rows(); ++i) EXPECT_NEAR(std::hypot(y(i, 0), y(i, 1), y(i, 2)), 1, 1e-14);
}

TEST(SpectralClustering, TrainingRowsKeepTheirClusters) {
  const Dataset data = make_dataset("moons", 500, 3, {{"noise", 0.08}});
  for (const Laplacian laplacian : kClusterLaplacians)
    for (const GraphKind graph : {GraphKind::Neighbors, GraphKind::Full}) {
      const Model found =
          spectral_clustering(data.points, {.n_clusters = 4, .graph = graph, .sigma = 0.3, .laplacian = laplacian});
      EXPECT_EQ(found.predict(data.points), found.labels()) << name_of(laplacian) << " " << name_of(graph);
      EXPECT_LT(relative_difference(found.transform(data.points), found.coordinates()), 1e-6);
    }
}

TEST(SpectralClustering, TrainingRowsOfAllSymmetrizations) {
  const Dataset data = make_dataset("moons", 400, 3);
  for (const Symmetrization rule : {Symmetrization::Mutual, Symmetrization::Average}) {
    const Model found = spectral_clustering(data.points, {.n_clusters = 2, .n_neighbors = 15, .symmetrization = rule});
    EXPECT_EQ(found.labels(), in_order({data.labels.begin(), data.labels.end()})) << name_of(rule);
    EXPECT_EQ(found.predict(data.points), found.labels()) << name_of(rule);
    EXPECT_LT(relative_difference(found.transform(data.points), found.coordinates()), 1e-6);
  }
}

TEST(SpectralClustering, HintsDoNotNameWhatIsRefused) {
  const Model found = spectral_clustering(clouds(3, 40, 3), {.n_clusters = 3, .n_neighbors = 3});
  for (const Warning& warning : found.embedding().warnings)
    EXPECT_EQ(warning.hint.find("separate"), std::string::npos) << warning.hint;
  expect_error(ErrorKind::Disconnected, "use components=keep", [] {
    spectral_clustering(blocks(2, 5, 0),
                        {.n_clusters = 2, .weights = EdgeWeights::Precomputed, .components = ComponentsPolicy::Error});
  });
}

TEST(SpectralClustering, NewPointsJoinTheirClouds) {
  const Model found = spectral_clustering(clouds(4, 50, 2), {.n_clusters = 4});
  const Array2<double> fresh = clouds(4, 10, 99);
  const std::vector<Index> labels = found.predict(fresh);
  EXPECT_EQ(labels, cloud_labels(4, 10));
  EXPECT_EQ(found.predict(PointsView(fresh).slice(7, 1)), std::vector<Index>{labels[7]});
  EXPECT_TRUE(found.predict(PointsView(fresh).slice(0, 0)).empty());
}

TEST(SpectralClustering, GivenWeightsAndDistances) {
  const Array2<double> w = blocks(3, 8, 0.001);
  SparseMatrix sparse{.rows = 24, .cols = 24};
  for (Index i = 0; i < 24; ++i) {
    for (Index j = 0; j < 24; ++j)
      if (w(i, j) > 0) sparse.columns.push_back(j), sparse.values.push_back(w(i, j));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  const ClusterOptions options{.n_clusters = 3, .weights = EdgeWeights::Precomputed};
  const Model full = spectral_clustering(w, options), few = spectral_clustering(SparseSimilarities(sparse), options);
  for (Index i = 0; i < 24; ++i) EXPECT_EQ(full.labels()[static_cast<std::size_t>(i)], i / 8);
  EXPECT_EQ(few.labels(), full.labels());
  EXPECT_EQ(full.predict(w), full.labels());
}

TEST(SpectralClustering, SavedAndLoaded) {
  const ScratchFolder folder;
  const Dataset data = make_dataset("moons", 300, 5);
  const Model found = spectral_clustering(data.points, {.n_clusters = 3, .scale = Scaling::Standardize});
  found.save(folder / "parts.unroll");
  const Model loaded = load_model(folder / "parts.unroll");
  EXPECT_EQ(loaded.labels(), found.labels());
  using Centers = std::shared_ptr<const Array2<double>>;
  EXPECT_EQ(*loaded.attribute<Centers>("centers"), *found.attribute<Centers>("centers"));
  const Dataset fresh = make_dataset("moons", 100, 6);
  EXPECT_EQ(loaded.predict(fresh.points), found.predict(fresh.points));
  EXPECT_EQ(loaded.transform(fresh.points), found.transform(fresh.points));
}

TEST(SpectralClustering, SameBitsOnAnyNumberOfThreads) {
  const Dataset data = make_dataset("moons", 3000, 1, {{"noise", 0.1}});
  for (const Laplacian laplacian : kClusterLaplacians) {
    const ClusterOptions options{.n_clusters = 6, .laplacian = laplacian};
    const Model one = spectral_clustering(data.points, options, unroll::Run{.threads = 1});
    for (const int threads : {2, 3, 8}) {
      const Model many = spectral_clustering(data.points, options, unroll::Run{.threads = threads});
      EXPECT_EQ(many.labels(), one.labels());
      EXPECT_EQ(many.coordinates(), one.coordinates());
      EXPECT_EQ(many.attribute<std::vector<double>>("conductance"), one.attribute<std::vector<double>>("conductance"));
    }
  }
}

TEST(SpectralClustering, LabelsAreNumberedByTheirFirstPoints) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Model found = spectral_clustering(normal_matrix(300, 4, seed), {.n_clusters = 7, .random_state = 3});
    EXPECT_EQ(found.labels(), in_order(found.labels()));
    EXPECT_EQ(*std::max_element(found.labels().begin(), found.labels().end()), 6);
  }
}

TEST(SpectralClustering, OneClusterAndAsManyAsPoints) {
  const Array2<double> x = normal_matrix(12, 2, 1);
  for (const Laplacian laplacian : kClusterLaplacians) {
    const Model one = spectral_clustering(x, {.n_clusters = 1, .laplacian = laplacian});
    EXPECT_EQ(one.labels(), std::vector<Index>(12));
    EXPECT_EQ(one.attribute<double>("largest_conductance"), 0);
    const Model all = spectral_clustering(x, {.n_clusters = 12, .laplacian = laplacian});
    for (Index i = 0; i < 12; ++i) EXPECT_EQ(all.labels()[static_cast<std::size_t>(i)], i) << name_of(laplacian);
    EXPECT_EQ(all.attribute<double>("largest_conductance"), 1);
  }
  const Model two = spectral_clustering(normal_matrix(2, 3, 1), {.n_clusters = 2});
  EXPECT_EQ(two.labels(), (std::vector<Index>{0, 1}));
}

TEST(SpectralClustering, Duplicates) {
  // Five places, each 20 times; k is less than the copies: five parts.
  const Array2<double> x = with_duplicates(100, 3, 20, 4);
  for (const Laplacian laplacian : kClusterLaplacians) {
    const Model found = spectral_clustering(x, {.n_clusters = 5, .n_neighbors = 19, .laplacian = laplacian});
    for (Index i = 0; i < 100; ++i) EXPECT_EQ(found.labels()[static_cast<std::size_t>(i)], i % 5) << name_of(laplacian);
    // More clusters than places: copies may part, but all is defined.
    const Model more = spectral_clustering(x, {.n_clusters = 9, .n_neighbors = 40, .laplacian = laplacian});
    EXPECT_EQ(more.labels(), in_order(more.labels()));
  }
}

TEST(SpectralClustering, MoreClustersThanDistinctRows) {
  const Model found =
      spectral_clustering(blocks(2, 5, 0), {.n_clusters = 4, .n_components = 2, .weights = EdgeWeights::Precomputed});
  for (Index i = 0; i < 10; ++i) EXPECT_EQ(found.labels()[static_cast<std::size_t>(i)], i / 5);
  EXPECT_TRUE(has_warning(found, "empty-clusters"));
  EXPECT_EQ(found.attribute<std::vector<std::int64_t>>("cluster_sizes"), (std::vector<std::int64_t>{5, 5, 0, 0}));
}

TEST(SpectralClustering, AnIsolatedPointIsAClusterOfItsOwn) {
  Array2<double> w = blocks(2, 5, 0);
  for (Index i = 0; i < 10; ++i) w(i, 9) = w(9, i) = 0;
  for (const Laplacian laplacian : kClusterLaplacians) {
    const Model found =
        spectral_clustering(w, {.n_clusters = 3, .weights = EdgeWeights::Precomputed, .laplacian = laplacian});
    EXPECT_EQ(found.labels(), (std::vector<Index>{0, 0, 0, 0, 0, 1, 1, 1, 1, 2})) << name_of(laplacian);
  }
}

TEST(SpectralClustering, Landmarks) {
  const Array2<double> x = clouds(4, 100, 7);
  const Model found = spectral_clustering(x, {.n_clusters = 4, .n_landmarks = 120});
  EXPECT_EQ(found.labels(), cloud_labels(4, 100));
  EXPECT_EQ(found.predict(x), found.labels());
  expect_error(ErrorKind::InvalidOption, "there is no attribute 'conductance'",
               [&] { found.attribute<std::vector<double>>("conductance"); });
}

TEST(SpectralClustering, Refuses) {
  const Array2<double> x = normal_matrix(20, 2, 1);
  expect_error(ErrorKind::InvalidOption, "n_clusters=21 must be at most the number of points, 20",
               [&] { spectral_clustering(x, {.n_clusters = 21}); });
  expect_error(ErrorKind::InvalidOption, "n_clusters=0 must be", [&] { spectral_clustering(x, {.n_clusters = 0}); });
  expect_error(ErrorKind::InvalidOption, "components=separate",
               [&] { spectral_clustering(x, {.n_clusters = 2, .components = ComponentsPolicy::Separate}); });
  expect_error(ErrorKind::InvalidOption, "n_clusters=12 must be at most n_landmarks=10",
               [&] { spectral_clustering(x, {.n_clusters = 12, .n_landmarks = 10}); });
  expect_error(ErrorKind::InvalidOption, "n_components=21",
               [&] { spectral_clustering(x, {.n_clusters = 2, .n_components = 21}); });
  expect_error(ErrorKind::InvalidData, "sigma=1e-200 makes all weights",
               [&] { spectral_clustering(x, {.n_clusters = 2, .sigma = 1e-200}); });
  Array2<double> w(4, 4);
  const ClusterOptions given{.n_clusters = 2, .weights = EdgeWeights::Precomputed};
  expect_error(ErrorKind::InvalidData, "all weights between different points are zero",
               [&] { spectral_clustering(w, given); });
  w(1, 2) = w(2, 1) = -1;
  expect_error(ErrorKind::InvalidData, "must be finite and positive or zero", [&] { spectral_clustering(w, given); });
  const Model map = find_method("pca").fit(x, {}, unroll::Run{});
  EXPECT_TRUE(map.labels().empty());
  expect_error(ErrorKind::Unsupported, "pca: this method finds no clusters", [&] { map.predict(x); });
}

TEST(SpectralClustering, IsListedAmongTheMethods) {
  const std::vector<const Method*> clusterings = methods_of(MethodKind::Clusters);
  ASSERT_EQ(clusterings.size(), 1U);
  EXPECT_EQ(clusterings[0], &find_method("spectral_clustering"));
  const Array2<double> x = clouds(3, 20, 1);
  const Model model = clusterings[0]->fit(x, {{"n_clusters", std::int64_t{3}}}, unroll::Run{});
  EXPECT_EQ(model.labels(), cloud_labels(3, 20));
}

}  // namespace
}  // namespace unroll
