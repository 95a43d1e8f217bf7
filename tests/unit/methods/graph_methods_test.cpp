// What Laplacian eigenmaps, diffusion maps and spectral clustering promise alike: they begin with the same graphs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "support/weighted_graphs.h"
#include "unroll/methods/diffusion_maps.h"
#include "unroll/methods/laplacian_eigenmaps.h"
#include "unroll/neighbors/neighbors.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

OptionValues with(OptionValues options, const OptionValues& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

const OptionValues kGivenDistances{{"metric", std::string("precomputed")}};
const OptionValues kBinary{{"weights", std::string("binary")}};

class GraphMethods : public testing::TestWithParam<std::string> {
 protected:
  Model fit(PointsView x, const OptionValues& options = {}) const {
    return find_method(GetParam()).fit(x, with(few_clusters(), options), {});
  }
  Model fit(const SparseMatrix& a, const OptionValues& options) const {
    return find_method(GetParam()).fit(sparse_input(a, options), with(few_clusters(), options), {});
  }
  bool clusters() const { return GetParam() == "spectral_clustering"; }
  OptionValues few_clusters() const {
    return clusters() ? OptionValues{{"n_clusters", std::int64_t{3}}} : OptionValues{};
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, GraphMethods,
                         testing::Values("laplacian_eigenmaps", "diffusion_maps", "spectral_clustering"),
                         [](const auto& test) { return test.param; });

TEST_P(GraphMethods, NewPointsOfASparseGraphHaveTheNeighborsOfItsRule) {
  const Array2<double> x = normal_matrix(150, 2, 1), fresh = normal_matrix(20, 2, 2);
  const Array2<double> distances = distances_from(fresh, x);
  for (const OptionValues& rule : {OptionValues{{"n_neighbors", std::int64_t{8}}}, OptionValues{{"radius", 1.5}}}) {
    const SparseMatrix graph = to_sparse(neighbors(x, make_options<NeighborOptions>(rule, "test")).graph);
    for (const OptionValues& weights : {OptionValues{}, kBinary})
      for (const char* symmetry : {"union", "mutual", "average"}) {
        const OptionValues options = with(weights, {{"symmetrization", std::string(symmetry)}});
        const Model by_points = fit(x, with(options, rule)),
                    by_graph = fit(graph, with(with(options, rule), kGivenDistances));
        ASSERT_LT(relative_difference(by_graph.coordinates(), by_points.coordinates()), 1e-9);
        EXPECT_LT(relative_difference(by_graph.transform(distances), by_points.transform(fresh)), 1e-9) << symmetry;
        EXPECT_LT(relative_difference(by_graph.transform(distances_between(x)), by_graph.coordinates()), 1e-6);
      }
  }
}

TEST_P(GraphMethods, EntriesOfNoRuleTellNothingOfNewPoints) {
  const Array2<double> x = normal_matrix(150, 2, 1);
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = 8}).graph;
  const Model model = fit(to_sparse(symmetrized(nearest, Symmetrization::Union)), kGivenDistances);
  EXPECT_LT(relative_difference(model.transform(distances_between(x)), model.coordinates()), 1e-6);
  const Array2<double> distances = distances_from(normal_matrix(3, 2, 2), x);
  expect_error(ErrorKind::Unsupported, "fit with n_neighbors or a radius", [&] { model.transform(distances); });
  const Model again = fit(to_sparse(symmetrized(nearest, Symmetrization::Union)),
                          with(kGivenDistances, {{"n_neighbors", std::int64_t{8}}}));
  EXPECT_EQ(again.transform(distances).rows(), 3);
}

TEST_P(GraphMethods, ZerosAreNoDistancesThatAreMissing) {
  const Array2<double> x = with_duplicates(90, 2, 3, 1);
  const SparseMatrix graph = to_sparse(neighbors(x, {.n_neighbors = 8}).graph);
  const Model model = fit(graph, kGivenDistances);
  EXPECT_LT(relative_difference(model.transform(distances_between(x)), model.coordinates()), 1e-6);
  Array2<double> filled(1, x.rows());
  for (Index e = graph.offsets[40]; e < graph.offsets[41]; ++e)
    filled(0, graph.columns[static_cast<std::size_t>(e)]) = graph.values[static_cast<std::size_t>(e)];
  expect_error(ErrorKind::InvalidData, "a distance that is missing cannot be told by 0",
               [&] { model.transform(filled); });
}

TEST_P(GraphMethods, ARuleOfEntriesSurvivesTheModelFile) {
  const ScratchFolder folder;
  const Array2<double> x = normal_matrix(80, 2, 1), distances = distances_from(normal_matrix(5, 2, 2), x);
  const Model model = fit(to_sparse(neighbors(x, {.n_neighbors = 6}).graph), kGivenDistances);
  model.save(folder / "model.unroll");
  EXPECT_EQ(load_model(folder / "model.unroll").transform(distances), model.transform(distances));
}

/// Training takes the 7th nearest, or the last of fewer; points that have chosen the new one do not count.
TEST(GraphMethodsInDetail, TheWidthOfANewPointIsThatOfTraining) {
  constexpr Index kNeighbors = 4;
  const Array2<double> x = normal_matrix(120, 2, 3), fresh = normal_matrix(20, 2, 4);
  const Model model = laplacian_eigenmaps(x, {.n_neighbors = kNeighbors, .bandwidth = Bandwidth::SelfTuning});
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = kNeighbors}).graph;
  const Array2<double> distances = distances_from(fresh, x), placed = model.transform(fresh);
  for (Index i = 0; i < fresh.rows(); ++i) {
    std::vector<double> sorted(distances.row(i), distances.row(i) + x.rows());
    std::sort(sorted.begin(), sorted.end());
    const double width = sorted[kNeighbors - 1];
    double degree = 0, sum = 0;
    for (Index j = 0; j < x.rows(); ++j) {
      const double d = distances(i, j), reach = nearest.distances_of(j).back();
      if (d > width && d > reach) continue;
      const double w = std::exp(-d * d / (width * reach));
      degree += w;
      sum += w * model.coordinates()(j, 0);
    }
    EXPECT_NEAR(placed(i, 0), sum / degree / (1 - model.embedding().spectrum.values[0]), 1e-9) << i;
  }
}

const OptionValues kFull{{"graph", std::string("full")}};

TEST_P(GraphMethods, WeightsThatAreAllEqualAreNoStructure) {
  for (const Index n : {60, 1200}) {
    const Array2<double> x = normal_matrix(n, 3, 1);
    const Model model = fit(x, with(kFull, {{"sigma", 1e300}}));
    const Warning* warning = warning_of(model, "repeated-eigenvalue");
    ASSERT_NE(warning, nullptr) << n;
    EXPECT_NE(warning->hint.find("smaller sigma"), std::string::npos);
    EXPECT_EQ(warning_of(model, "vanishing-eigenvalues") != nullptr, GetParam() == "diffusion_maps");
    EXPECT_EQ(warning_of(fit(x, kFull), "repeated-eigenvalue"), nullptr);
    EXPECT_EQ(warning_of(fit(x), "repeated-eigenvalue"), nullptr);
  }
  expect_error(ErrorKind::InvalidOption, "weights=binary with graph=full joins all points alike",
               [&] { fit(normal_matrix(30, 2, 1), with(kFull, kBinary)); });
}

/// Points on a circle at equal distances: eigenvalues come in pairs.
Array2<double> ring(Index n) {
  Array2<double> x(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    x(i, 0) = std::cos(angle), x(i, 1) = std::sin(angle);
  }
  return x;
}

TEST_P(GraphMethods, HalfAPairOfEqualEigenvaluesIsTold) {
  // Of clustering the first eigenvector is the trivial one.
  const auto count = [&](Index pairs) {
    return OptionValues{{"n_components", std::int64_t{pairs + (clusters() ? 1 : 0)}}};
  };
  const OptionValues two{{"n_neighbors", std::int64_t{2}}, {"weights", std::string("binary")}};
  for (const Index n : {40, 900}) {
    EXPECT_EQ(warning_of(fit(ring(n), with(two, count(2))), "repeated-eigenvalue"), nullptr);
    const Model cut = fit(ring(n), with(two, count(3)));
    ASSERT_NE(warning_of(cut, "repeated-eigenvalue"), nullptr);
    EXPECT_NE(warning_of(cut, "repeated-eigenvalue")->hint.find(fmt::format("n_components={}", clusters() ? 3 : 2)),
              std::string::npos);
  }
}

/// The number behind the last "sigma=" of a hint.
double sigma_of(std::string_view hint) {
  const std::size_t place = hint.rfind("sigma=");
  double sigma = 0;
  if (place == std::string_view::npos) ADD_FAILURE() << "no sigma in: " << hint;
  if (place != std::string_view::npos) std::from_chars(hint.data() + place + 6, hint.data() + hint.size(), sigma);
  return sigma;
}

/// A cloud and one point far away.
Array2<double> with_a_far_one(Index n, double distance) {
  Array2<double> x = normal_matrix(n + 1, 2, 1);
  x(n, 0) = distance, x(n, 1) = 0;
  return x;
}

TEST_P(GraphMethods, WhereHeatVanishesTheHintIsAtSigma) {
  const Array2<double> x = with_a_far_one(80, 1000);
  const OptionValues median{{"bandwidth", std::string("median")}, {"n_neighbors", std::int64_t{10}}};
  const Model model = fit(x, median);
  for (const char* code : {"vanishing-weights", "graph-disconnected"}) {
    const Warning* warning = warning_of(model, code);
    ASSERT_NE(warning, nullptr) << code;
    EXPECT_EQ(warning->hint.find("n_neighbors"), std::string::npos) << warning->hint;
    const OptionValues wide{{"n_neighbors", std::int64_t{10}}, {"sigma", sigma_of(warning->hint)}};
    EXPECT_EQ(warning_of(fit(x, wide), code), nullptr);
  }
  const OptionValues tuned{{"bandwidth", std::string("self_tuning")}, {"n_neighbors", std::int64_t{10}}};
  EXPECT_EQ(warning_of(fit(x, tuned), "graph-disconnected"), nullptr);
  // Heat that is as wide as the distance to the 7th nearest does not reach out of a cloud that is much smaller.
  const Model farther = fit(with_a_far_one(80, 1e6), median);
  EXPECT_EQ(warning_of(farther, "graph-disconnected")->hint.find("self_tuning"), std::string::npos);
  expect_error(ErrorKind::Disconnected, "; use bandwidth=self_tuning, or sigma=", [&] {
    fit(x, with(median, {{"components", std::string("error")}}));
  });
}

TEST_P(GraphMethods, GroupsBetweenWhichHeatVanishesHaveTheirSigma) {
  const Array2<double> x = two_clusters(40, 30, 2, 1, 300, 5);
  for (const char* policy : {"connect", "error"}) {
    const OptionValues options = with(kFull, {{"components", std::string(policy)}});
    try {
      fit(x, with(options, {{"sigma", 1.0}}));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Disconnected) << error.what();
      EXPECT_NO_THROW(fit(x, with(options, {{"sigma", sigma_of(error.what())}})));
    }
  }
}

TEST(GraphMethodsInDetail, SmallEigenvaluesOfDiffusionAreRefusedWhereTheirPowersAreNotSmall) {
  const Array2<double> x = normal_matrix(250, 2, 1);
  Array2<double> beside = rows_of(x, 0, 5);
  for (Index i = 0; i < beside.rows(); ++i) beside(i, 0) += 1e-9;
  const DiffusionMapsOptions wide{.n_components = 200, .graph = GraphKind::Full, .sigma = 3};
  DiffusionMapsOptions still = wide;
  still.t = 0;
  const Model flowing = diffusion_maps(x, wide), frozen = diffusion_maps(x, still);
  EXPECT_LT(relative_difference(flowing.transform(beside), rows_of(flowing.coordinates(), 0, 5)), 1e-6);
  expect_error(ErrorKind::InvalidData, "belongs to the eigenvalue 0, of which neighbors say nothing",
               [&] { frozen.transform(beside); });
  EXPECT_LT(relative_difference(frozen.transform(x), frozen.coordinates()), 1e-6);
}

TEST_P(GraphMethods, AsymmetricWeightsAreAveragedWithAWarning) {
  const ScratchFolder folder;
  const OptionValues given{{"weights", std::string("precomputed")}};
  const Random random(1, "asymmetric");
  Array2<double> uneven(40, 40), even(40, 40);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j)
      uneven(i, j) = i == j ? 1 : random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j));
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) even(i, j) = uneven(i, j) / 2 + uneven(j, i) / 2;
  for (const char* laplacian : {"random_walk", "symmetric", "unnormalized"}) {
    const OptionValues options =
        GetParam() == "diffusion_maps" ? given : with(given, {{"laplacian", std::string(laplacian)}});
    const Model expected = fit(even, options);
    for (const Model& model : {fit(uneven, options), fit(sparse_of(uneven), options)}) {
      const Warning* warning = warning_of(model, "asymmetric-weights");
      ASSERT_NE(warning, nullptr);
      EXPECT_NE(warning->message.find("the weight in row "), std::string::npos);
      EXPECT_LT(relative_difference(model.coordinates(), expected.coordinates()), 1e-9);
      EXPECT_LT(relative_difference(model.transform(uneven), model.coordinates()), 1e-6);
      model.save(folder / "model.unroll");
      EXPECT_EQ(load_model(folder / "model.unroll").transform(uneven), model.transform(uneven));
    }
  }
}

TEST_P(GraphMethods, FewLandmarksAreRefusedByName) {
  const OptionValues two{{"n_landmarks", std::int64_t{2}}};
  const std::string word = clusters() ? "n_clusters=3 must be at most n_landmarks=2"
                                      : "n_landmarks=2 must be more than n_components=2; use a larger n_landmarks";
  expect_error(ErrorKind::InvalidOption, word, [&] { fit(normal_matrix(500, 2, 1), two); });
  if (clusters())
    expect_error(ErrorKind::InvalidOption, "n_components=9 must be at most n_landmarks=5", [&] {
      fit(normal_matrix(500, 2, 1), {{"n_landmarks", std::int64_t{5}}, {"n_components", std::int64_t{9}}});
    });
}

// A landmark has its neighbours among the landmarks: as many as asked for, or as many as the model says.
TEST_P(GraphMethods, NeighborsOfLandmarksAreAsManyAsTheModelSays) {
  const Array2<double> x = normal_matrix(300, 2, 1);
  expect_error(ErrorKind::InvalidOption,
               "n_neighbors=50 must be less than n_landmarks=30: neighbors are looked for among the landmarks; use a "
               "smaller n_neighbors, or a larger n_landmarks",
               [&] {
                 fit(x, {{"n_landmarks", std::int64_t{30}}, {"n_neighbors", std::int64_t{50}}});
               });
  const auto neighbors_of = [](const Model& model) {
    for (const NamedValue& option : model.options())
      if (option.name == "n_neighbors") return option.value;
    return OptionValue{};
  };
  const Model few = fit(x, {{"n_landmarks", std::int64_t{8}}});
  EXPECT_EQ(neighbors_of(few), OptionValue(std::int64_t{7}));
  EXPECT_EQ(neighbors_of(fit(x, {{"n_landmarks", std::int64_t{30}}})), OptionValue(std::int64_t{10}));
  // Every second of the landmarks has fewer others than neighbours: that is no error.
  EXPECT_NO_THROW(fit(x, {{"n_landmarks", std::int64_t{30}}, {"n_neighbors", std::int64_t{20}}}));
}

TEST_P(GraphMethods, ErrorsAreToldInTheNameOfTheMethod) {
  Array2<double> distances = distances_between(normal_matrix(20, 2, 1));
  const Model model = fit(distances, kGivenDistances);
  distances(3, 4) = distances(4, 3) = -1;
  expect_error(ErrorKind::InvalidData, GetParam() + ": the distance between points 4 and 5",
               [&] { fit(distances, kGivenDistances); });
  expect_error(ErrorKind::InvalidData, GetParam() + ": row 4 has the distance", [&] { model.transform(distances); });
  expect_error(ErrorKind::Unsupported, GetParam() + ": eigen_solver=shift_invert needs a sparse matrix", [&] {
    fit(normal_matrix(40, 2, 1), with(kFull, {{"eigen_solver", std::string("shift_invert")}}));
  });
}

}  // namespace
}  // namespace unroll
