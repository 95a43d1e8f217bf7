// Isomap: exact cases, the Swiss roll, components, landmarks, new points.
#include "unroll/methods/isomap.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "unroll/data/generators.h"
#include "unroll/methods/mds.h"
#include "unroll/methods/pca.h"
#include "unroll/quality/quality.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

TEST(Isomap, OfACompleteGraphIsScalingIsPca) {
  for (const Index n : {80, 1000}) {
    const Array2<double> x = anisotropic_points(n, 5, 1);
    const Array2<double> scores = pca(x, {.n_components = 3}).coordinates();
    const Model model = isomap(x, {.n_components = 3, .n_neighbors = n - 1});
    EXPECT_LT(difference_up_to_sign(model.coordinates(), scores), 1e-9);
    EXPECT_LT(difference_up_to_sign(model.coordinates(), mds(x, {.n_components = 3}).coordinates()), 1e-9);
  }
}

TEST(Isomap, UnrollsASpiralExactly) {
  const Index n = 300;
  Array2<double> x(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double t = 2 + 0.05 * static_cast<double>(i);
    x(i, 0) = t * std::cos(t), x(i, 1) = t * std::sin(t);
  }
  const Model model = isomap(x, {.n_components = 1, .n_neighbors = 2});
  // Along the chain, with edges over two steps too where these are shorter: lengths of shortest paths, to the last bit.
  double along = 0;
  for (Index i = 2; i < n; i += 2) {
    along += std::hypot(x(i, 0) - x(i - 2, 0), x(i, 1) - x(i - 2, 1));
    EXPECT_LE(std::abs(std::abs(model.coordinates()(i, 0) - model.coordinates()(0, 0)) - along), 0.02 * along);
  }
  EXPECT_LT(model.attribute<std::vector<double>>("residual_variance")[0], 1e-6);
}

TEST(Isomap, TellsOfShortCircuits) {
  const Dataset roll = make_dataset("swiss_roll", 1500, 0);
  EXPECT_FALSE(has_warning(isomap(roll.points, {.n_neighbors = 12}), "short-circuit"));
  for (const std::optional<std::int64_t> landmarks :
       {std::optional<std::int64_t>(), std::optional<std::int64_t>(100)}) {
    const Model model = isomap(roll.points, {.n_neighbors = 60, .n_landmarks = landmarks});
    ASSERT_TRUE(has_warning(model, "short-circuit"));
    EXPECT_TRUE(warning_of(model, "short-circuit")->hint.starts_with("use a smaller n_neighbors"));
  }
  const Model ball = isomap(roll.points, {.radius = 7.5});
  ASSERT_TRUE(has_warning(ball, "short-circuit"));
  EXPECT_TRUE(warning_of(ball, "short-circuit")->hint.starts_with("use a smaller radius"));
}

TEST(Isomap, KeepsTheDistancesOfAStraightGrid) {
  const Index side = 12;
  Array2<double> line(side * side, 3), grid(side * side, 2);
  for (Index i = 0; i < side * side; ++i) {
    line(i, 0) = static_cast<double>(i), line(i, 1) = 2 * static_cast<double>(i);
    const Index row = i / side, column = i % side;
    grid(i, 0) = static_cast<double>(row), grid(i, 1) = static_cast<double>(column);
  }
  // On a line every shortest path is straight: distances are kept exactly with two neighbours.
  const Model straight = isomap(line, {.n_components = 1, .n_neighbors = 2});
  EXPECT_LT(relative_difference(distances_between(straight.coordinates()), distances_between(line)), 1e-12);
  // On a grid they are as soon as every point sees every other.
  const Model flat = isomap(grid, {.radius = 20.0});
  EXPECT_LT(relative_difference(distances_between(flat.coordinates()), distances_between(grid)), 1e-9);
  // With the four nearest, paths are those of a city's blocks: the lengths of the metric manhattan.
  Array2<double> blocks = mds(grid, {.n_components = 3, .metric = Metric::Manhattan}).coordinates();
  const Model streets = isomap(grid, {.n_components = 3, .radius = 1.0});
  EXPECT_LT(relative_difference(distances_between(streets.coordinates()), distances_between(blocks)), 1e-9);
}

void expect_unrolled(std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Dataset roll = make_dataset("swiss_roll", 2000, seed);
    const Model model = isomap(roll.points, {.n_neighbors = 12});
    EXPECT_LE(procrustes(roll.truth, model.coordinates()), 0.002) << seed;
    EXPECT_GE(correlation_of_distances(roll.truth, model.coordinates()), 0.9997) << seed;
  }
}

TEST(Isomap, UnrollsTheSwissRoll) { expect_unrolled(2); }
TEST(IsomapSlow, UnrollsTheSwissRollForTenSeeds) { expect_unrolled(10); }

TEST(Isomap, BothWaysToShortestPathsAgree) {
  const Dataset roll = make_dataset("swiss_roll", 300, 1);
  const Model search = isomap(roll.points, {.path_method = PathMethod::Dijkstra});
  const Model all = isomap(roll.points, {.path_method = PathMethod::FloydWarshall});
  EXPECT_LT(relative_difference(all.coordinates(), search.coordinates()), 1e-9);
}

TEST(Isomap, AllSolversAgree) {
  const Dataset roll = make_dataset("swiss_roll", 900, 2);
  const Array2<double> dense = isomap(roll.points, {.eigen_solver = FullEigenSolver::Dense}).coordinates();
  for (const FullEigenSolver solver : {FullEigenSolver::Auto, FullEigenSolver::Lanczos, FullEigenSolver::Randomized})
    EXPECT_LT(relative_difference(isomap(roll.points, {.eigen_solver = solver}).coordinates(), dense), 1e-7);
}

TEST(Isomap, TellsTheDimension) {
  const Dataset roll = make_dataset("swiss_roll", 1000, 3);
  const Model model = isomap(roll.points, {.n_components = 6});
  EXPECT_EQ(model.attribute<std::int64_t>("suggested_components"), 2);
  const auto& left = model.attribute<std::vector<double>>("residual_variance");
  ASSERT_EQ(left.size(), 6U);
  EXPECT_LT(left[1], 0.1 * left[0]);
}

TEST(IsomapLandmarks, PlaceAllPoints) {
  const Dataset roll = make_dataset("swiss_roll", 2000, 4);
  for (const LandmarkChoice choice : {LandmarkChoice::MaxMin, LandmarkChoice::Random, LandmarkChoice::KMeans}) {
    const Model model = isomap(roll.points, {.n_landmarks = 100, .landmarks = choice});
    EXPECT_GE(correlation_of_distances(roll.truth, model.coordinates()), 0.999);
    EXPECT_LT(model.attribute<double>("landmark_error"), 0.01);
    EXPECT_EQ(model.transform_kind(), TransformKind::Nystrom);
  }
}

TEST(IsomapLandmarks, AllPointsAsLandmarksChangeNothing) {
  const Dataset roll = make_dataset("swiss_roll", 300, 5);
  EXPECT_LT(
      difference_up_to_sign(isomap(roll.points, {.n_landmarks = 300}).coordinates(), isomap(roll.points).coordinates()),
      1e-9);
}

TEST(Isomap, AboveTenThousandPointsLengthsAreSingle) {
  const Dataset roll = make_dataset("swiss_roll", 10'100, 6);
  const Model model = isomap(roll.points, {.n_landmarks = 60});
  EXPECT_EQ(model.attribute<std::string>("precision"), "float32");
  const Array2<double> some = rows_of(roll.points, 5000, 20);
  EXPECT_LT(relative_difference(model.transform(some), rows_of(model.coordinates(), 5000, 20)), 1e-6);
  const auto precision_of = [&](Index n) {
    return isomap(rows_of(roll.points, 0, n), {.n_landmarks = 20}).attribute<std::string>("precision");
  };
  EXPECT_EQ(precision_of(500), "float64");
  EXPECT_EQ(precision_of(10'000), "float64");
  EXPECT_EQ(precision_of(10'001), "float32");
}

TEST(Isomap, NewPointsFallAmongTheirNeighbours) {
  const Dataset roll = make_dataset("swiss_roll", 1500, 7);
  const Model model = isomap(rows_of(roll.points, 0, 1200), {.n_neighbors = 12});
  const Array2<double> placed = model.transform(rows_of(roll.points, 1200, 300));
  Array2<double> map(1500, 2);
  std::copy_n(model.coordinates().data(), 2400, map.data());
  std::copy_n(placed.data(), 600, map.row(1200));
  EXPECT_LE(procrustes(roll.truth, map), 0.002);
}

struct IsomapCase {
  const char* name;
  IsomapOptions options;
  bool given = false;     ///< distances come in
  bool clusters = false;  ///< the points fall into two components
  friend void PrintTo(const IsomapCase& tested, std::ostream* out) { *out << tested.name; }
};
class IsomapVariants : public testing::TestWithParam<IsomapCase> {
 protected:
  static Array2<double> points() {
    return GetParam().clusters ? two_clusters(100, 60, 3, 1, 50, 1) : make_dataset("swiss_roll", 250, 1).points;
  }
  static Array2<double> input() { return GetParam().given ? distances_between(points()) : points(); }
};
INSTANTIATE_TEST_SUITE_P(
    Isomap, IsomapVariants,
    testing::Values(
        IsomapCase{"plain", {}}, IsomapCase{"radius", {.radius = 6.0}},
        IsomapCase{"manhattan", {.metric = Metric::Manhattan}}, IsomapCase{"cosine", {.metric = Metric::Cosine}},
        IsomapCase{"given", {.metric = Metric::Precomputed}, true}, IsomapCase{"landmarks", {.n_landmarks = 40}},
        IsomapCase{"random_landmarks", {.n_landmarks = 40, .landmarks = LandmarkChoice::Random}},
        IsomapCase{"given_landmarks", {.metric = Metric::Precomputed, .n_landmarks = 40}, true},
        IsomapCase{"connected", {}, false, true}, IsomapCase{"connected_landmarks", {.n_landmarks = 30}, false, true},
        IsomapCase{"apart", {.components = ComponentsPolicy::Separate}, false, true},
        IsomapCase{
            "given_apart", {.metric = Metric::Precomputed, .components = ComponentsPolicy::Separate}, true, true},
        IsomapCase{"three", {.n_components = 3}}, IsomapCase{"standardized", {.scale = Scaling::Standardize}}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(IsomapVariants, KeepTheContracts) {
  const Array2<double> x = input();
  const Model model = isomap(x, GetParam().options, {.threads = 1});
  const Array2<double> batch = model.transform(x);
  EXPECT_LT(relative_difference(batch, model.coordinates()), 1e-6);
  EXPECT_EQ(has_warning(model, "graph-disconnected"), GetParam().clusters);
  for (const Index i : {0, 7, 120}) EXPECT_EQ(model.transform(rows_of(x, i, 1)), rows_of(batch, i, 1));
  for (const int threads : {2, 3, 8}) {
    const Model again = isomap(x, GetParam().options, {.threads = threads});
    EXPECT_EQ(again.coordinates(), model.coordinates());
    EXPECT_EQ(again.transform(x, {.threads = threads}), batch);
  }
}

TEST_P(IsomapVariants, SurviveTheirFile) {
  const Array2<double> x = input();
  const Model model = isomap(x, GetParam().options);
  const ScratchFolder folder;
  model.save(folder / "m.unroll");
  const Model loaded = load_model(folder / "m.unroll");
  EXPECT_EQ(loaded.coordinates(), model.coordinates());
  EXPECT_EQ(loaded.transform(x), model.transform(x));
  EXPECT_EQ(loaded.transform_kind(), model.transform_kind());
}

TEST(IsomapComponents, APartHasNoMoreCoordinatesThanPoints) {
  const Array2<double> x = two_clusters(9, 6, 2, 1, 100, 1);
  expect_error(ErrorKind::InvalidOption,
               "isomap: n_components=9 must be at most 8: 15 points in 2 components have no more eigenvectors; use a "
               "smaller n_components, a larger n_neighbors or radius, or components=connect",
               [&] { isomap(x, {.n_components = 9, .n_neighbors = 4, .components = ComponentsPolicy::Separate}); });
}

TEST(IsomapComponents, SeparateMapsAreThoseOfTheParts) {
  const Array2<double> x = two_clusters(80, 50, 3, 1, 100, 2);
  const Model model = isomap(x, {.n_neighbors = 6, .components = ComponentsPolicy::Separate});
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 80}, {80, 50}}) {
    const Model part = isomap(rows_of(x, first, count), {.n_neighbors = 6});
    EXPECT_LT(relative_difference(distances_between(rows_of(model.coordinates(), first, count)),
                                  distances_between(part.coordinates())),
              1e-9);
  }
  double right = INFINITY, left = -right;
  for (Index i = 0; i < 80; ++i) left = std::max(left, model.coordinates()(i, 0));
  for (Index i = 80; i < 130; ++i) right = std::min(right, model.coordinates()(i, 0));
  EXPECT_LT(left, right);
  EXPECT_EQ(model.attribute<std::int64_t>("components"), 2);
}

TEST(IsomapComponents, OnePointIsAMap) {
  Array2<double> x = normal_matrix(40, 2, 3);
  x(39, 0) = 1000;
  const Model model = isomap(x, {.radius = 3.0, .components = ComponentsPolicy::Separate});
  EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
  const Model joined = isomap(x, {.radius = 3.0});
  EXPECT_LT(relative_difference(joined.transform(rows_of(x, 0, 39)), rows_of(joined.coordinates(), 0, 39)), 1e-6);
}

TEST(IsomapComponents, OtherPoliciesAreErrors) {
  const Array2<double> x = two_clusters(30, 30, 2, 1, 100, 4);
  expect_error(ErrorKind::Disconnected, "n_neighbors=", [&] { isomap(x, {.components = ComponentsPolicy::Error}); });
  expect_error(ErrorKind::InvalidOption, "components=keep", [&] { isomap(x, {.components = ComponentsPolicy::Keep}); });
  expect_error(ErrorKind::Unsupported, "components=connect",
               [&] { isomap(x, {.components = ComponentsPolicy::Separate, .n_landmarks = 10}); });
}

TEST(IsomapOfAGraph, IsThatOfThePointsItCameFrom) {
  const Dataset roll = make_dataset("swiss_roll", 400, 8);
  const SparseMatrix graph = to_sparse(neighbors(roll.points, {.n_neighbors = 9}).graph);
  const Model by_points = isomap(roll.points, {.n_neighbors = 9}), by_graph = isomap(SparseDistances(graph));
  EXPECT_EQ(by_graph.coordinates(), by_points.coordinates());
  EXPECT_EQ(by_graph.n_features(), 400);
  const Array2<double> d = distances_between(roll.points);
  EXPECT_LT(relative_difference(by_graph.transform(d), by_points.coordinates()), 1e-6);
  const Model landmarks = isomap(SparseDistances(graph), {.n_landmarks = 50, .landmarks = LandmarkChoice::Random});
  EXPECT_EQ(
      landmarks.coordinates(),
      isomap(roll.points, {.n_neighbors = 9, .n_landmarks = 50, .landmarks = LandmarkChoice::Random}).coordinates());
  expect_error(ErrorKind::Unsupported, "landmarks=random",
               [&] { isomap(SparseDistances(graph), {.n_landmarks = 50}); });
  const ScratchFolder folder;
  by_graph.save(folder / "m.unroll");
  EXPECT_EQ(load_model(folder / "m.unroll").transform(d), by_graph.transform(d));
}

TEST(IsomapOfAGraph, NewPointsHaveTheNeighborsOfItsRule) {
  const Dataset roll = make_dataset("swiss_roll", 400, 8), fresh = make_dataset("swiss_roll", 20, 9);
  const Array2<double> d = distances_from(fresh.points, roll.points);
  const auto graph_of = [&](const NeighborOptions& options) {
    return to_sparse(neighbors(roll.points, options).graph);
  };
  for (const IsomapOptions& options : {IsomapOptions{.n_neighbors = 9}, IsomapOptions{.radius = 5}}) {
    const Model by_points = isomap(roll.points, options);
    const Model by_graph =
        isomap(SparseDistances(graph_of({.n_neighbors = options.n_neighbors, .radius = options.radius})),
               {.radius = options.radius});  // rows of k entries each tell their k, a radius must be said
    EXPECT_LT(relative_difference(by_graph.transform(d), by_points.transform(fresh.points)), 1e-6);
  }
  const Model neither = isomap(
      SparseDistances(to_sparse(symmetrized(neighbors(roll.points, {.n_neighbors = 9}).graph, Symmetrization::Union))));
  expect_error(ErrorKind::Unsupported, "fit with n_neighbors or a radius", [&] { neither.transform(d); });
  EXPECT_LT(relative_difference(neither.transform(distances_between(roll.points)), neither.coordinates()), 1e-6);
  // Zeros for what the graph lacks are distances of one point from points that are apart.
  const SparseMatrix graph = graph_of({.n_neighbors = 9});
  Array2<double> row(1, 400);
  for (Index e = graph.offsets[5]; e < graph.offsets[6]; ++e)
    row(0, graph.columns[static_cast<std::size_t>(e)]) = graph.values[static_cast<std::size_t>(e)];
  expect_error(ErrorKind::InvalidData, "use rows of all distances",
               [&] { isomap(SparseDistances(graph)).transform(row); });
  row(0, 3) = -1;
  expect_error(ErrorKind::InvalidData, "isomap: ", [&] { isomap(SparseDistances(graph)).transform(row); });
}

TEST(IsomapOfAGraph, InTwoPartsCannotBeJoined) {
  const Array2<double> x = two_clusters(30, 30, 2, 1, 100, 4);
  const SparseMatrix graph = to_sparse(neighbors(x, {.n_neighbors = 5}).graph);
  expect_error(ErrorKind::Disconnected, "number of connected components", [&] { isomap(SparseDistances(graph)); });
  EXPECT_EQ(isomap(SparseDistances(graph), {.components = ComponentsPolicy::Separate}).coordinates().rows(), 60);
}

TEST(Isomap, CopiesAndConstantDataAreDefined) {
  const Model copies = isomap(with_duplicates(120, 2, 15, 1), {.n_neighbors = 5});  // more copies than neighbours
  for (Index i = 0; i < copies.coordinates().size(); ++i) ASSERT_TRUE(std::isfinite(copies.coordinates().data()[i]));
  for (Index i = 8; i < 120; ++i)
    for (Index k = 0; k < 2; ++k) EXPECT_NEAR(copies.coordinates()(i, k), copies.coordinates()(i % 8, k), 1e-7);
  const Model constant = isomap(Array2<double>(30, 3));
  EXPECT_TRUE(has_warning(constant, "zero-variance"));
  EXPECT_EQ(constant.coordinates(), Array2<double>(30, 2));
  EXPECT_EQ(constant.transform(normal_matrix(5, 3, 1)), Array2<double>(5, 2));
}

TEST(Isomap, IsRefusedBeforeItTakesTooMuch) {
  const Array2<double> x = normal_matrix(70'000, 2, 1);
  expect_error(ErrorKind::OutOfMemory, "use n_landmarks=1000",
               [&] { isomap(x, {}, {.memory_budget = std::uint64_t{16} << 30}); });
}

TEST(Isomap, ErrorsSayWhatToDo) {
  const Array2<double> x = normal_matrix(60, 3, 1), d = distances_between(x);
  expect_error(ErrorKind::InvalidOption,
               "isomap: n_neighbors=60 must be less than the number of points, 60; use a smaller n_neighbors",
               [&] { isomap(x, {.n_neighbors = 60}); });
  expect_error(ErrorKind::InvalidOption, "n_components=60", [&] { isomap(x, {.n_components = 60}); });
  expect_error(ErrorKind::InvalidOption, "scale=none",
               [&] { isomap(d, {.metric = Metric::Precomputed, .scale = Scaling::MinMax}); });
  expect_error(ErrorKind::InvalidOption, "use dijkstra",
               [&] { isomap(x, {.path_method = PathMethod::FloydWarshall, .n_landmarks = 10}); });
  const Model model = isomap(x, {.radius = 4.0});
  Array2<double> far(1, 3);
  far(0, 0) = 1e6;
  expect_error(ErrorKind::InvalidData, "row 1 has no training point within the radius", [&] { model.transform(far); });
}

}  // namespace
}  // namespace unroll
