// LLE: its weights and matrix against a dense solve, invariances of the slides, components, landmarks, new points.
#include "unroll/methods/lle.h"
#include "support/model_warnings.h"

#include <gtest/gtest.h>

#include <numeric>

#include "affinity/local_fits.h"
#include "affinity/local_geometry.h"
#include "affinity/reconstruction_weights.h"
#include "eigen/operators.h"
#include "linalg/symmetric_eigen.h"
#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "unroll/data/generators.h"
#include "unroll/neighbors/neighbor_index.h"
#include "unroll/quality/quality.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

/// I - W by the definition: LAPACK's solution of the regularised system of every point.
Array2<double> plain_residual_matrix(const Array2<double>& x, Index k, double reg) {
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = k}).graph;
  const Index n = x.rows();
  Array2<double> a(n, n);
  for (Index i = 0; i < n; ++i) {
    Array2<double> c(k, k);
    double trace = 0;
    const auto hood = nearest.neighbors_of(i);
    for (Index p = 0; p < k; ++p) {
      for (Index q = 0; q < k; ++q)
        for (Index f = 0; f < x.cols(); ++f)
          c(p, q) +=
              (x(hood[static_cast<std::size_t>(p)], f) - x(i, f)) * (x(hood[static_cast<std::size_t>(q)], f) - x(i, f));
      trace += c(p, p);
    }
    for (Index p = 0; p < k; ++p) c(p, p) += reg * trace;
    // w = C^-1 1 from the eigenpairs of C
    const EigenPairs pairs = leading_eigenpairs(c, [k](const auto&) { return k; }, {});
    std::vector<double> w(static_cast<std::size_t>(k));
    for (Index e = 0; e < k; ++e) {
      const double* v = pairs.vectors.row(e);
      const double along = std::accumulate(v, v + k, 0.0) / pairs.values[static_cast<std::size_t>(e)];
      for (Index p = 0; p < k; ++p) w[static_cast<std::size_t>(p)] += along * v[p];
    }
    const double sum = std::accumulate(w.begin(), w.end(), 0.0);
    a(i, i) = 1;
    for (Index p = 0; p < k; ++p) a(i, hood[static_cast<std::size_t>(p)]) -= w[static_cast<std::size_t>(p)] / sum;
  }
  return a;
}

/// Rows of length one that span what the columns do, which are orthogonal.
Array2<double> unit_rows(const Array2<double>& columns) {
  Array2<double> rows = transposed(columns);
  orthonormalize_rows(rows, rows.rows());
  return rows;
}

TEST(Lle, AgreesWithADenseSolve) {
  for (const EigenSolver solver : {EigenSolver::Dense, EigenSolver::ShiftInvert}) {
    const Dataset roll = make_dataset("swiss_roll", 600, 1);
    const Model model = lle(roll.points, {.n_components = 3, .n_neighbors = 12, .eigen_solver = solver});
    const Array2<double> a = plain_residual_matrix(roll.points, 12, 1e-3);
    const Array2<double> m = product(transposed(a), a);
    Array2<double> negative = m;
    for (Index i = 0; i < m.size(); ++i) negative.data()[i] = -m.data()[i];
    const EigenPairs pairs = leading_eigenpairs(negative, [](const auto&) { return Index{4}; }, {});
    Array2<double> expected(3, 600);
    std::copy_n(pairs.vectors.row(1), expected.size(), expected.data());  // the first is the constant
    EXPECT_LT(subspace_difference(unit_rows(model.coordinates()), expected), 1e-6);
    double cost = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(model.embedding().spectrum.values[k], -pairs.values[k + 1], 1e-13);
      cost -= 600 * pairs.values[k + 1];
    }
    EXPECT_NEAR(model.attribute<double>("reconstruction_cost"), cost, 1e-10);
  }
}

TEST(Lle, CoordinatesHaveMeanZeroAndUnitCovariance) {
  for (const Index n : {200, 3000}) {
    const Model model = lle(make_dataset("s_curve", n, 2).points, {.n_components = 3});
    const Array2<double>& y = model.coordinates();
    const Array2<double> products = product(transposed(y), y);
    for (Index k = 0; k < 3; ++k) {
      double sum = 0;
      for (Index i = 0; i < n; ++i) sum += y(i, k);
      EXPECT_NEAR(sum / static_cast<double>(n), 0, 1e-9);
      for (Index l = 0; l < 3; ++l) EXPECT_NEAR(products(k, l) / static_cast<double>(n), k == l ? 1 : 0, 1e-9);
    }
  }
}

/// The weights of every point by its neighbours, row after row.
std::vector<double> weights_of(const Array2<double>& x) {
  const NeighborGraph nearest = neighbors(x, {.n_neighbors = 8}).graph;
  const LocalGeometry geometry(x, {}, {});
  std::vector<double> all, weights(8);
  Array2<double> gram;
  GeometryScratch scratch;
  WeightsScratch solver;
  for (Index i = 0; i < x.rows(); ++i) {
    geometry.gram_about(i, nearest.neighbors_of(i), gram, scratch);
    EXPECT_TRUE(solve_weights(gram, {}, weights, solver));
    all.insert(all.end(), weights.begin(), weights.end());
  }
  return all;
}

TEST(Lle, WeightsDoNotAnswerRotationScaleAndTranslation) {
  const Array2<double> x = make_dataset("s_curve", 300, 4).points;
  const std::vector<double> expected = weights_of(x);
  for (const Array2<double>& moved : {product(x, rotation(3, 7)), scaled_by(x, 3.7), shifted_by(x, 25)}) {
    const std::vector<double> weights = weights_of(moved);
    for (std::size_t e = 0; e < weights.size(); ++e) ASSERT_NEAR(weights[e], expected[e], 1e-9);
  }
}

TEST(Lle, UnrollsTheSwissRoll) {
  const Dataset roll = make_dataset("swiss_roll", 2000, 0);
  const Model model = lle(roll.points, {.n_neighbors = 12});
  const std::vector<double> r2 = affine_r2(model.coordinates(), roll.truth);
  EXPECT_GT(r2[0], 0.99);  // the place along the roll; its height is LLE's weak side
}

TEST(Lle, DistancesAloneGiveTheMapOfThePoints) {
  const Array2<double> x = make_dataset("s_curve", 250, 3).points, d = distances_between(x);
  const Model points = lle(x), dense = lle(d, {.metric = Metric::Precomputed});
  EXPECT_LT(relative_difference(dense.coordinates(), points.coordinates()), 1e-6);
  const Array2<double> fresh = make_dataset("s_curve", 20, 8).points;
  Array2<double> to_training(20, 250);
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 250; ++j) {
      double sum = 0;
      for (Index f = 0; f < 3; ++f) sum += (fresh(i, f) - x(j, f)) * (fresh(i, f) - x(j, f));
      to_training(i, j) = std::sqrt(sum);
    }
  EXPECT_LT(relative_difference(dense.transform(to_training), points.transform(fresh)), 1e-6);
}

TEST(Lle, OtherMetricsAndRadiusAreNeighborhoodsToo) {
  const Array2<double> x = make_dataset("s_curve", 300, 3).points;
  for (const Metric metric : {Metric::Manhattan, Metric::Cosine, Metric::Chebyshev}) {
    const Model model = lle(x, {.metric = metric});
    EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-12) << name_of(metric);
  }
  const Model by_radius = lle(x, {.radius = 0.8});
  EXPECT_GT(by_radius.attribute<std::int64_t>("graph_edges"), 300);
  expect_error(ErrorKind::InvalidData, "within the radius", [&] { by_radius.transform(shifted_by(x, 100)); });
}

TEST(Lle, NonnegativeWeightsAreNoWorseInsideTheHull) {
  const Dataset roll = make_dataset("swiss_roll", 1000, 5);
  const Model model = lle(roll.points, {.n_neighbors = 12, .nonnegative = true});
  const Model any = lle(roll.points, {.n_neighbors = 12});
  EXPECT_GT(affine_r2(model.coordinates(), roll.truth)[0], affine_r2(any.coordinates(), roll.truth)[0] - 0.05);
  EXPECT_GT(relative_difference(model.coordinates(), any.coordinates()), 1e-3);
  // A point off the roll is a mixture of its neighbours: it falls within their hull.
  const Array2<double> y = model.transform(shifted_by(rows_of(roll.points, 0, 1), 100));
  for (Index k = 0; k < 2; ++k) {
    const auto column = [&](Index i) { return model.coordinates()(i, k); };
    double low = column(0), high = column(0);
    for (Index i = 1; i < 1000; ++i) low = std::min(low, column(i)), high = std::max(high, column(i));
    EXPECT_GE(y(0, k), low);
    EXPECT_LE(y(0, k), high);
  }
}

TEST(Lle, NewPointsFallBetweenTheirNeighbors) {
  const Dataset roll = make_dataset("swiss_roll", 3000, 1), fresh = make_dataset("swiss_roll", 200, 77);
  const Model model = lle(roll.points, {.n_neighbors = 12});
  // A map of all points would put the new ones where the weights do.
  Array2<double> all(3200, 3);
  std::copy_n(roll.points.data(), roll.points.size(), all.data());
  std::copy_n(fresh.points.data(), fresh.points.size(), all.row(3000));
  const Array2<double> expected = rows_of(lle(all, {.n_neighbors = 12}).coordinates(), 3000, 200);
  EXPECT_LT(procrustes(expected, model.transform(fresh.points)), 0.01);
  // A training row is found, not computed; of copies the first.
  EXPECT_EQ(model.transform(roll.points), model.coordinates());
}

TEST(Lle, NewPointsAreTooFarForInnerProducts) {
  const Array2<double> d = distances_between(normal_matrix(60, 3, 1));
  const Model model = lle(d, {.metric = Metric::Precomputed});
  expect_error_of_row(ErrorKind::InvalidData, 0, "lle: row 1 is so far from its nearest training points that inner",
                      [&] { model.transform(shifted_by(rows_of(d, 0, 1), 1e160)); });
}

TEST(Lle, NewPointsWithoutRegularizationHaveWeightsInItsLimit) {
  const Array2<double> x = normal_matrix(50, 10, 2);
  const Model plain = lle(x, {.n_neighbors = 4, .reg = 0}), small = lle(x, {.n_neighbors = 4, .reg = 1e-9});
  Array2<double> far(1, 10);
  std::fill_n(far.data(), 10, 1e9);  // from there all differences are one direction
  EXPECT_LT(relative_difference(plain.transform(far), small.transform(far)), 1e-3);
}

TEST(Lle, ComponentsHaveTheirPolicies) {
  Array2<double> x = make_dataset("s_curve", 300, 1).points;
  for (Index i = 0; i < 100; ++i) x(i, 0) += 50;
  const Model apart = lle(x);
  EXPECT_TRUE(has_warning(apart, "graph-disconnected"));
  EXPECT_EQ(apart.attribute<std::int64_t>("components"), 2);
  // The maps do not overlap, and each is that of its points alone.
  double low[2] = {INFINITY, INFINITY}, high[2] = {-low[0], -low[1]};
  for (Index i = 0; i < 300; ++i) {
    const int side = i < 100 ? 0 : 1;
    low[side] = std::min(low[side], apart.coordinates()(i, 0));
    high[side] = std::max(high[side], apart.coordinates()(i, 0));
  }
  EXPECT_TRUE(high[0] < low[1] || high[1] < low[0]);
  const Model second = lle(rows_of(x, 100, 200));
  for (Index i = 0; i < 200; ++i) EXPECT_NEAR(apart.coordinates()(100 + i, 1), second.coordinates()(i, 1), 1e-6);
  EXPECT_EQ(apart.transform(x), apart.coordinates());

  const Model joined = lle(x, {.components = ComponentsPolicy::Connect});
  EXPECT_EQ(joined.attribute<std::int64_t>("components"), 1);
  EXPECT_EQ(joined.attribute<std::int64_t>("joining_edges"), 1);

  const Model kept = lle(x, {.components = ComponentsPolicy::Keep});
  const auto place = [&](Index i) { return kept.coordinates()(i, 0); };
  for (Index i = 0; i < 300; ++i) EXPECT_NEAR(place(i), place(i < 100 ? 0 : 100), 1e-12);
  EXPECT_GT(std::abs(place(0) - place(100)), 1);  // it tells the components apart, and nothing else
  EXPECT_EQ(kept.embedding().spectrum.values[0], 0);
  EXPECT_GT(kept.embedding().spectrum.values[1], 0);
  expect_error(ErrorKind::Disconnected, "components", [&] { lle(x, {.components = ComponentsPolicy::Error}); });
}

TEST(Lle, LandmarksComeNearTheExactMap) {
  const Dataset roll = make_dataset("swiss_roll", 4000, 2);
  const Model exact = lle(roll.points, {.n_neighbors = 12});
  EXPECT_FALSE(has_warning(exact, "landmarks-took-over"));
  const Model by_rule = lle(roll.points, {.n_neighbors = 12, .max_factor_gib = 1e-6});
  EXPECT_TRUE(has_warning(by_rule, "landmarks-took-over"));
  EXPECT_EQ(by_rule.embedding().spectrum.solver, "landmarks");
  // The place along the roll is the coordinate that the exact map has, too; its height is spoilt by regularization.
  EXPECT_GT(affine_r2(by_rule.coordinates(), roll.truth)[0], 0.999);
  EXPECT_GT(affine_r2(exact.coordinates(), roll.truth)[0], 0.999);
  const Model asked = lle(roll.points, {.n_neighbors = 12, .n_landmarks = 400});
  EXPECT_EQ(asked.attribute<std::vector<std::int64_t>>("landmarks").size(), 400U);
  EXPECT_LT(by_rule.attribute<double>("landmark_error"), asked.attribute<double>("landmark_error"));
  EXPECT_TRUE(has_warning(asked, "few-landmarks"));  // every second of 400 is too few for a roll
  EXPECT_GT(affine_r2(asked.coordinates(), roll.truth)[0], 0.99);
  // Fewer landmarks span fewer maps: the cost is not below.
  const auto cost = [](const Model& model) { return model.attribute<double>("reconstruction_cost"); };
  EXPECT_GT(cost(asked), cost(by_rule));
  EXPECT_GT(cost(by_rule), cost(exact));
  const Array2<double> products = product(transposed(asked.coordinates()), asked.coordinates());
  for (Index k = 0; k < 2; ++k)
    for (Index l = 0; l < 2; ++l) EXPECT_NEAR(products(k, l) / 4000, k == l ? 1 : 0, 1e-6);
}

void expect_more_landmarks_than_components(Index n, Index d) {
  const Model model = lle(normal_matrix(n, d, 1), {.n_components = d, .n_neighbors = 2, .max_factor_gib = 0});
  EXPECT_TRUE(has_warning(model, "landmarks-took-over"));
  EXPECT_GT(std::ssize(model.attribute<std::vector<std::int64_t>>("landmarks")), d);
  double squares = 0;
  for (Index i = 0; i < n * d; ++i) squares += model.coordinates().data()[i] * model.coordinates().data()[i];
  EXPECT_NEAR(squares / static_cast<double>(n * d), 1, 1e-6);
}

// There are a thousand landmarks unless more are needed.
TEST(Lle, LandmarksThatTakeOverAreMoreThanComponents) { expect_more_landmarks_than_components(1004, 20); }
TEST(LleSlow, LandmarksThatTakeOverAreMoreThanComponents) { expect_more_landmarks_than_components(1004, 1001); }

TEST(Lle, AllPointsAsLandmarksGiveTheExactMap) {
  const Array2<double> x = make_dataset("s_curve", 300, 2).points;
  EXPECT_LT(difference_up_to_sign(lle(x, {.n_landmarks = 300}).coordinates(), lle(x).coordinates()), 1e-6);
  const Model distances = lle(distances_between(x), {.metric = Metric::Precomputed, .n_landmarks = 300});
  EXPECT_LT(difference_up_to_sign(distances.coordinates(), lle(x).coordinates()), 1e-6);
}

TEST(Lle, LandmarksAreTheSameAtAnyThreadCount) {
  const Array2<double> x = make_dataset("swiss_roll", 1500, 3).points;
  const LleOptions options{.n_landmarks = 200};
  const Model one = lle(x, options, {.threads = 1});
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(lle(x, options, {.threads = threads}).coordinates(), one.coordinates()) << threads;
}

TEST(Lle, ShiftInvertIsTheSameAtAnyThreadCount) {
  const Array2<double> x = make_dataset("swiss_roll", 3000, 3).points;
  const Model one = lle(x, {}, {.threads = 1});
  EXPECT_EQ(one.embedding().spectrum.solver, "shift_invert");
  for (const int threads : {2, 3, 8}) EXPECT_EQ(lle(x, {}, {.threads = threads}).coordinates(), one.coordinates());
}

TEST(Lle, SavedModelsPlacePointsAlike) {
  const ScratchFolder folder;
  const Array2<double> x = make_dataset("s_curve", 200, 1).points, d = distances_between(x);
  SparseMatrix sparse{.rows = 200, .cols = 200};
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 200; ++j)
      if (i != j) sparse.columns.push_back(j), sparse.values.push_back(d(i, j));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  const Model models[] = {lle(x, {.metric = Metric::Manhattan}), lle(d, {.metric = Metric::Precomputed}),
                          lle(SparseDistances(sparse), {.n_neighbors = 9, .nonnegative = true})};
  for (const Model& model : models) {
    model.save(folder / "model.unroll");
    const Model loaded = load_model(folder / "model.unroll");
    const Array2<double> fresh =
        model.n_features() == 3 ? make_dataset("s_curve", 30, 5).points : scaled_by(rows_of(d, 0, 30), 1.01);
    EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
  }
}

TEST(Lle, DegenerateDataAreDefined) {
  expect_error(ErrorKind::InvalidData, "identical", [] { lle(Array2<double>(40, 3)); });
  // More copies than neighbours, spread over the rows: finite, and copies have one place.
  const Array2<double> places = with_duplicates(120, 3, 15, 1);
  const Array2<double> copies = lle(places).coordinates();
  for (Index i = 0; i < 120; ++i)
    for (Index j = 0; j < i; ++j) {
      const bool is_copy = std::equal(places.row(i), places.row(i) + 3, places.row(j));
      EXPECT_EQ(std::equal(copies.row(i), copies.row(i) + 2, copies.row(j)), is_copy) << i << ' ' << j;
    }
  // Some copies within a cloud.
  Array2<double> cloud = make_dataset("s_curve", 400, 6).points;
  for (Index i = 0; i < 30; ++i) std::copy_n(cloud.row(399), 3, cloud.row(i));
  const Model some = lle(cloud);
  for (Index i = 1; i < 30; ++i) EXPECT_NEAR(some.coordinates()(i, 0), some.coordinates()(0, 0), 1e-3);
  EXPECT_FALSE(has_warning(some, "null-space"));  // the copies are one group, and all others lead to it
  for (Index i = 30; i < 60; ++i) std::copy_n(cloud.row(398), 3, cloud.row(i));
  EXPECT_TRUE(has_warning(lle(cloud), "null-space"));
  const Model line = lle(on_a_line(100, 3, 1), {.n_components = 1});
  for (Index i = 0; i < 100; ++i) ASSERT_TRUE(std::isfinite(line.coordinates()(i, 0)));
}

TEST(Lle, HugeRegularizationMeansEqualWeights) {
  const Array2<double> x = make_dataset("s_curve", 200, 1).points;
  const Model huge = lle(x, {.reg = 1e308}), large = lle(x, {.reg = 1e12});
  EXPECT_LT(difference_up_to_sign(huge.coordinates(), large.coordinates()), 1e-8);
  EXPECT_LT(difference_up_to_sign(lle(x, {.reg = 1e308, .nonnegative = true}).coordinates(), huge.coordinates()), 1e-8);
  const Array2<double> fresh = make_dataset("s_curve", 5, 9).points;
  const NeighborGraph nearest = NeighborIndex(x, {.n_neighbors = 10}).nearest(fresh);
  const Array2<double> y = huge.transform(fresh);
  for (Index i = 0; i < 5; ++i)
    for (Index k = 0; k < 2; ++k) {
      double mean = 0;
      for (const Index j : nearest.neighbors_of(i)) mean += huge.coordinates()(j, k) / 10;
      EXPECT_NEAR(y(i, k), mean, 1e-9);
    }
}

TEST(Lle, SolversThatFailAreToldOnceWithAWayOut) {
  const Array2<double> roll = make_dataset("swiss_roll", 1500, 0).points;
  try {
    lle(roll, {.n_neighbors = 12, .eigen_solver = EigenSolver::Lanczos});
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::NotConverged);
    EXPECT_EQ(text.find("lle: no solver reached"), 0U) << text;
    EXPECT_EQ(text.find("lanczos: "), text.rfind("lanczos: ")) << text;
    EXPECT_EQ(text.find("; use "), text.rfind("; use ")) << text;
    EXPECT_NE(text.find("use eigen_solver=auto, or n_landmarks=1000"), std::string::npos) << text;
  }
}

TEST(Lle, LandmarksThatTookOverAreNotToBeLeftOut) {
  const Model model = lle(normal_matrix(1500, 8, 3), {.max_factor_gib = 0});
  const auto& warnings = model.embedding().warnings;
  const auto few = std::find_if(warnings.begin(), warnings.end(),
                                [](const Warning& warning) { return warning.code == "few-landmarks"; });
  ASSERT_NE(few, warnings.end());
  EXPECT_EQ(few->hint, "use n_landmarks above 1000, or a larger max_factor_gib");
}

TEST(Lle, MemoryIsPlannedBeforeTheWeights) {
  expect_error(ErrorKind::OutOfMemory, "lle: needs", [] {
    lle(make_dataset("swiss_roll", 3000, 0).points, {.n_neighbors = 12}, {.memory_budget = 2'000'000});
  });
  // The weights have room, but not the factor, which is nearly full.
  const Array2<double> wide = normal_matrix(3000, 6, 4);
  expect_error(ErrorKind::OutOfMemory, "lle: needs", [&] { lle(wide, {}, {.memory_budget = 15'000'000}); });
  expect_error(ErrorKind::OutOfMemory, "; use n_landmarks=1000", [&] { lle(wide, {}, {.memory_budget = 15'000'000}); });
}

TEST(Lle, FewPoints) {
  expect_error(ErrorKind::InvalidData, "1 sample", [] { lle(normal_matrix(1, 3, 1)); });
  expect_error(ErrorKind::InvalidOption, "n_components=2", [] { lle(normal_matrix(2, 3, 1)); });
  EXPECT_EQ(lle(normal_matrix(2, 3, 1), {.n_components = 1}).coordinates().rows(), 2);
  EXPECT_EQ(lle(normal_matrix(3, 3, 1)).coordinates().rows(), 3);
}

TEST(Lle, BadOptionsAreRefused) {
  const Array2<double> x = normal_matrix(50, 3, 1);
  expect_error(ErrorKind::InvalidOption, "a larger n_neighbors or radius", [&] { lle(x, {.radius = 1e-9}); });
  expect_error(ErrorKind::InvalidOption, "n_neighbors=50 must be less than the number of points, 50",
               [&] { lle(x, {.n_neighbors = 50}); });
  expect_error(ErrorKind::InvalidOption, ">= 1", [&] { lle(x, {.n_neighbors = 0}); });
  expect_error(ErrorKind::InvalidOption, "number of features, 3", [&] { lle(x, {.n_components = 4}); });
  expect_error(ErrorKind::InvalidData, "reg=0", [&] { lle(x, {.n_neighbors = 8, .reg = 0}); });
  EXPECT_NO_THROW(lle(normal_matrix(50, 10, 1), {.n_neighbors = 6, .reg = 0}));
  expect_error(ErrorKind::Unsupported, "2 components cannot be kept", [] {
    lle(two_clusters(60, 60, 3, 1, 100, 1), {.components = ComponentsPolicy::Keep, .n_landmarks = 50});
  });
  expect_error(ErrorKind::InvalidOption, "n_landmarks=60", [&] { lle(x, {.n_landmarks = 60}); });
  expect_error(ErrorKind::InvalidOption, "scale=standardize",
               [&] { lle(distances_between(x), {.metric = Metric::Precomputed, .scale = Scaling::Standardize}); });
  expect_error(ErrorKind::InvalidOption, "max_factor_gib", [&] {
    lle(make_dataset("swiss_roll", 1000, 0).points, {.eigen_solver = EigenSolver::ShiftInvert, .max_factor_gib = 0});
  });
}

}  // namespace
}  // namespace unroll
