// Classical scaling: distances come back, whichever way they were given.
#include "unroll/methods/mds.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include "affinity/additive_constant.h"
#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/scratch_folder.h"
#include "unroll/methods/pca.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

const MdsOptions kGiven{.metric = Metric::Precomputed};

MdsOptions with(MdsOptions options, auto change) {
  change(options);
  return options;
}

TEST(Mds, GivesBackDistancesInThePlane) {
  const Array2<double> x = normal_matrix(150, 2, 1), d = distances_between(x);
  const Model model = mds(d, kGiven);
  EXPECT_LT(relative_difference(distances_between(model.coordinates()), d), 1e-12);
  EXPECT_LT(model.attribute<double>("negative_mass"), 1e-12);
  EXPECT_TRUE(model.embedding().warnings.empty());
}

TEST(Mds, IsPcaHoweverItIsComputed) {
  for (const Index n : {90, 1200}) {  // by LAPACK and by products
    const Array2<double> x = anisotropic_points(n, 6, 2);
    const Array2<double> scores = pca(x, {.n_components = 3}).coordinates();
    const MdsOptions three{.n_components = 3};
    EXPECT_LT(difference_up_to_sign(mds(x, three).coordinates(), scores), 1e-12);
    const MdsOptions by_distances{.n_components = 3, .eigen_solver = FullEigenSolver::Lanczos};
    EXPECT_LT(relative_difference(mds(x, by_distances).coordinates(), mds(x, three).coordinates()), 1e-9);
    const MdsOptions given{.n_components = 3, .metric = Metric::Precomputed};
    EXPECT_LT(difference_up_to_sign(mds(distances_between(x), given).coordinates(), scores), 1e-9);
    const MdsOptions minkowski{.n_components = 3, .metric = Metric::Minkowski};  // p = 2
    EXPECT_LT(difference_up_to_sign(mds(x, minkowski).coordinates(), scores), 1e-9);
  }
}

TEST(Mds, TriangleWithAKnownNegativeEigenvalue) {
  // d = 1, 1, 3: B = J (-d^2/2) J has the eigenvalues 4.5, -5/6... whatever they are, their sum is the trace.
  Array2<double> d(3, 3);
  d(0, 1) = d(1, 0) = d(0, 2) = d(2, 0) = 1, d(1, 2) = d(2, 1) = 3;
  const Model model = mds(d, kGiven);
  // By symmetry of points 2 and 3: (0, 1, -1)/sqrt(2) has 9/2, and (2, -1, -1)/sqrt(6) has the rest of the trace 11/3.
  EXPECT_NEAR(model.embedding().spectrum.values[0], 4.5, 1e-12);
  EXPECT_NEAR(model.embedding().spectrum.values[1], 11.0 / 3 - 4.5, 1e-12);
  EXPECT_NEAR(model.attribute<double>("negative_mass"), (4.5 - 11.0 / 3) / (9 - 11.0 / 3), 1e-12);
  EXPECT_TRUE(has_warning(model, "not-euclidean"));
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(model.coordinates()(i, 1), 0);  // no direction there
  EXPECT_TRUE(has_warning(model, "rank-deficient"));
}

TEST(AdditiveConstant, MakesATriangleFlat) {
  Array2<double> d(3, 3);
  d(0, 1) = d(1, 0) = d(0, 2) = d(2, 0) = 1, d(1, 2) = d(2, 1) = 3;
  const Model model = mds(d, with(kGiven, [](auto& o) { o.additive_constant = true; }));
  EXPECT_NEAR(model.attribute<double>("additive_constant"), 1, 1e-9);  // 2 + 2 = 4
  EXPECT_LT(model.attribute<double>("negative_mass"), 1e-9);
  EXPECT_NEAR(model.embedding().spectrum.values[0], 8, 1e-8);
  EXPECT_LT(relative_difference(model.transform(d), model.coordinates()), 1e-6);
}

TEST(AdditiveConstant, IsTheSmallestThatWillDo) {
  for (const Index n : {12, 40, 900}) {
    Array2<double> d(n, n);
    const Random random(7, "test");
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j) d(i, j) = d(j, i) = 0.1 + random.uniform(static_cast<std::uint64_t>(i * n + j));
    Array2<double> enough = d;
    const double c = add_constant(enough, {}, 0.5, 0, {});
    EXPECT_GT(c, 0);
    const auto mass = [&](double constant) {
      Array2<double> shifted = d;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (i != j) shifted(i, j) += constant;
      return mds(shifted, kGiven).attribute<double>("negative_mass");
    };
    EXPECT_LT(mass(c), 1e-9);
    EXPECT_GT(mass(0.99 * c), 1e-6);
  }
}

TEST(AdditiveConstant, IsZeroForEuclideanDistances) {
  Array2<double> d = distances_between(normal_matrix(60, 3, 4));
  EXPECT_LT(add_constant(d, {}, 0.25, 0, {}), 1e-6);
}

// Cailliez adds the constant to all pairs. Zero between points that are no copies breaks the triangle inequality.
TEST(Mds, AZeroDistanceThatIsNoCopyIsShiftedToo) {
  Array2<double> d = distances_between(normal_matrix(12, 3, 4));
  d(2, 7) = d(7, 2) = 0;
  const Model model = mds(DistancesView{d}, {.n_components = 10, .additive_constant = true});
  const auto c = model.attribute<double>("additive_constant");
  EXPECT_GT(c, 0);
  EXPECT_LT(c, 100);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < i; ++j) {
      double squares = 0;
      for (Index k = 0; k < 10; ++k) squares += std::pow(model.coordinates()(i, k) - model.coordinates()(j, k), 2);
      EXPECT_NEAR(std::sqrt(squares), d(i, j) + c, 1e-6) << i << ' ' << j;
    }
  Array2<double> others(11, 12);  // point 8 has the zero of point 3 before its own: nothing tells it from point 3
  for (Index i = 0, row = 0; i < 12; ++i) {
    if (i == 7) continue;
    std::copy_n(d.row(i), 12, others.row(row++));
  }
  const Array2<double> placed = load_model(model.bytes(), "memory").transform(others);
  for (Index i = 0, row = 0; i < 12; ++i) {
    if (i == 7) continue;
    for (Index k = 0; k < 10; ++k) EXPECT_NEAR(placed(row, k), model.coordinates()(i, k), 1e-6) << i;
    ++row;
  }
}

TEST(Mds, CopiesStayTogetherUnderAConstant) {
  Array2<double> x = normal_matrix(10, 3, 4);
  std::copy_n(x.row(2), 3, x.row(7));
  Array2<double> d = distances_between(x);
  d(0, 1) = d(1, 0) = 9;
  const Model model = mds(DistancesView{d}, {.n_components = 8, .additive_constant = true});
  for (Index k = 0; k < 8; ++k) EXPECT_NEAR(model.coordinates()(2, k), model.coordinates()(7, k), 1e-7);
}

TEST(MdsLandmarks, AreExactForPointsOfThePlane) {
  const Array2<double> x = normal_matrix(500, 2, 5), d = distances_between(x);
  for (const LandmarkChoice choice : {LandmarkChoice::MaxMin, LandmarkChoice::Random, LandmarkChoice::KMeans}) {
    const Model model = mds(x, {.n_landmarks = 20, .landmarks = choice});
    EXPECT_LT(relative_difference(distances_between(model.coordinates()), d), 1e-10);
    EXPECT_LT(model.attribute<double>("landmark_error"), 1e-12);
    EXPECT_EQ(model.transform_kind(), TransformKind::Nystrom);
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-12);
  }
  const Model given = mds(d, {.metric = Metric::Precomputed, .n_landmarks = 20});
  EXPECT_LT(relative_difference(distances_between(given.coordinates()), d), 1e-10);
  EXPECT_LT(relative_difference(given.transform(d), given.coordinates()), 1e-12);
}

TEST(MdsLandmarks, SayWhenTheyAreTooFew) {
  const Array2<double> x = normal_matrix(400, 12, 6);
  const Model few = mds(x, {.n_landmarks = 10}), many = mds(x, {.n_landmarks = 300});
  EXPECT_TRUE(has_warning(few, "few-landmarks"));
  EXPECT_LT(many.attribute<double>("landmark_error"), few.attribute<double>("landmark_error"));
}

TEST(MdsLandmarks, AreNotTooFewWhereAllPointsAre) {
  const Array2<double> x = normal_matrix(40, 12, 6);
  const Model all = mds(x, {.n_landmarks = 40}), most = mds(x, {.n_landmarks = 39});
  EXPECT_GT(all.attribute<double>("landmark_error"), 0.01);
  EXPECT_FALSE(has_warning(all, "few-landmarks"));
  EXPECT_TRUE(has_warning(most, "few-landmarks"));
  EXPECT_LT(relative_difference(distances_between(all.coordinates()), distances_between(mds(x).coordinates())), 1e-10);
}

TEST(Mds, PlacesNewPointsWhereTheirDistancesSay) {
  const Array2<double> x = normal_matrix(120, 2, 7), fresh = normal_matrix(30, 2, 8);
  const Model model = mds(x, {.eigen_solver = FullEigenSolver::Dense});
  Array2<double> both(150, 2), map(150, 2);
  std::copy_n(x.data(), x.size(), both.data());
  std::copy_n(fresh.data(), fresh.size(), both.row(120));
  const Array2<double> placed = model.transform(fresh);
  std::copy_n(model.coordinates().data(), x.size(), map.data());
  std::copy_n(placed.data(), placed.size(), map.row(120));
  EXPECT_LT(relative_difference(distances_between(map), distances_between(both)), 1e-10);
}

struct MdsCase {
  const char* name;
  MdsOptions options;
  bool given;
  friend void PrintTo(const MdsCase& tested, std::ostream* out) { *out << tested.name; }
};
class MdsVariants : public testing::TestWithParam<MdsCase> {
 protected:
  Array2<double> input(Index n, std::uint64_t seed) const {
    const Array2<double> x = normal_matrix(n, 5, seed);
    return GetParam().given ? distances_between(x) : x;
  }
};
INSTANTIATE_TEST_SUITE_P(
    Mds, MdsVariants,
    testing::Values(MdsCase{"euclidean", {}, false}, MdsCase{"manhattan", {.metric = Metric::Manhattan}, false},
                    MdsCase{"cosine", {.metric = Metric::Cosine, .eigen_solver = FullEigenSolver::Lanczos}, false},
                    MdsCase{"given", {.metric = Metric::Precomputed}, true},
                    MdsCase{"constant", {.metric = Metric::Precomputed, .additive_constant = true}, true},
                    MdsCase{"landmarks", {.metric = Metric::Chebyshev, .n_landmarks = 30}, false},
                    MdsCase{"given_landmarks", {.metric = Metric::Precomputed, .n_landmarks = 30}, true}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(MdsVariants, KeepTheContracts) {
  const Array2<double> x = input(140, 1);
  const Model model = mds(x, GetParam().options, {.threads = 1});
  EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-6);
  const Array2<double> batch = model.transform(x);
  for (const Index i : {0, 7, 139}) EXPECT_EQ(model.transform(rows_of(x, i, 1)), rows_of(batch, i, 1));
  for (const int threads : {2, 3, 8}) {
    const Model again = mds(x, GetParam().options, {.threads = threads});
    EXPECT_EQ(again.coordinates(), model.coordinates());
    EXPECT_EQ(again.transform(x, {.threads = threads}), batch);
  }
  const ScratchFolder folder;
  model.save(folder / "m.unroll");
  const Model loaded = load_model(folder / "m.unroll");
  EXPECT_EQ(loaded.transform(x), batch);
  EXPECT_EQ(loaded.transform_kind(), model.transform_kind());
}

TEST(Mds, MoreCoordinatesThanDimensionsAreZero) {
  const Array2<double> x = normal_matrix(50, 2, 9);
  const Model model = mds(x, {.n_components = 4});
  for (Index i = 0; i < 50; ++i) EXPECT_EQ(model.coordinates()(i, 2), 0);
  EXPECT_TRUE(has_warning(model, "rank-deficient"));
  EXPECT_EQ(model.transform(x), model.coordinates());
}

TEST(Mds, ErrorsSayWhatToDo) {
  const Array2<double> x = normal_matrix(20, 3, 10), d = distances_between(x);
  expect_error(ErrorKind::InvalidOption, "n_components=20 must be less than the number of points, 20",
               [&] { mds(x, {.n_components = 20}); });
  expect_error(ErrorKind::InvalidOption, "scale=none",
               [&] { mds(d, {.metric = Metric::Precomputed, .scale = Scaling::Standardize}); });
  expect_error(ErrorKind::InvalidOption, "leave out n_landmarks",
               [&] { mds(x, {.additive_constant = true, .n_landmarks = 10}); });
  expect_error(ErrorKind::InvalidData, "square", [&] { mds(x, kGiven); });
  expect_error(ErrorKind::OutOfMemory, "n_landmarks=1000",
               [&] { mds(normal_matrix(2000, 2, 1), {.metric = Metric::Manhattan}, {.memory_budget = 20'000'000}); });
  Array2<double> negative = rows_of(d, 0, 1);
  negative(0, 3) = -1;
  const Model model = mds(d, kGiven);
  expect_error(ErrorKind::InvalidData, "mds: row 1 has the distance -1 in column 4",
               [&] { model.transform(negative); });
}

// Standardized, every row of collinear features is one number repeated: what is left of it are rounding errors.
TEST(Mds, CorrelationsOfRoundingErrorsAreTold) {
  Array2<double> collinear = Array2<double>::uninitialized(60, 4);
  const Array2<double> t = normal_matrix(60, 1, 8), rows = normal_matrix(60, 4, 9);
  for (Index i = 0; i < 60; ++i) {
    const std::array<double, 4> row{t(i, 0), 2 * t(i, 0) + 1, 0.3 * t(i, 0) - 2, 7 * t(i, 0)};
    std::copy(row.begin(), row.end(), collinear.row(i));
  }
  const MdsOptions correlation{.metric = Metric::Correlation, .scale = Scaling::Standardize};
  EXPECT_TRUE(has_warning(mds(collinear, correlation), "rows-of-rounding"));
  EXPECT_FALSE(has_warning(mds(rows, correlation), "rows-of-rounding"));
  EXPECT_FALSE(has_warning(mds(collinear, {.scale = Scaling::Standardize}), "rows-of-rounding"));
  EXPECT_FALSE(has_warning(mds(collinear, {.metric = Metric::Correlation}), "rows-of-rounding"));
  Array2<double> offset = rows;  // four digits of the numbers are left: not rounding
  for (Index i = 0; i < offset.size(); ++i) offset.data()[i] += 1e10;
  EXPECT_FALSE(has_warning(mds(offset, {.metric = Metric::Correlation}), "rows-of-rounding"));
}

}  // namespace
}  // namespace unroll
