// What modified LLE, Hessian LLE and LTSA promise alike: flat sheets exactly, the Swiss roll, degenerate data, threads,
// new points, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "support/model_warnings.h"
#include "support/point_clouds.h"
#include "support/scratch_folder.h"
#include "unroll/data/generators.h"
#include "unroll/quality/quality.h"
#include "unroll/registry.h"

namespace unroll {
namespace {

class LocalAlignment : public testing::TestWithParam<std::string> {
 protected:
  Model fit(PointsView x, const OptionValues& options = {}, const unroll::Run& run = {}) const {
    return find_method(GetParam()).fit(x, options, run);
  }

  struct Sheet {
    Index d, n, k;
  };
  void expect_same_axes_in_any_unit(const std::vector<Sheet>& sheets) const;
  void expect_unrolled(std::uint64_t seeds) const;
};
class LocalAlignmentSlow : public LocalAlignment {};

OptionValues with(std::int64_t d, std::int64_t k) { return {{"n_components", d}, {"n_neighbors", k}}; }

OptionValues with(std::int64_t d, std::int64_t k, const std::string& name, OptionValue value) {
  OptionValues options = with(d, k);
  options.push_back({name, std::move(value)});
  return options;
}

/// The warnings of a code, of which there should be one.
std::vector<Warning> warnings_of(const Model& model, std::string_view code) {
  std::vector<Warning> found;
  for (const Warning& warning : model.embedding().warnings)
    if (warning.code == code) found.push_back(warning);
  return found;
}

/// Points of the unit cube of dimension d, uniformly.
Array2<double> cube(Index n, Index d, std::uint64_t seed) {
  const Random random(seed, "test.cube");
  Array2<double> x(n, d);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform(static_cast<std::uint64_t>(i));
  return x;
}

/// What an affine function of `y`, with Y'Y = n I and mean 0, leaves of `truth`, relative to the largest of that.
double affine_residual(const Array2<double>& y, const Array2<double>& truth) {
  const auto n = static_cast<double>(y.rows());
  double worst = 0;
  for (Index c = 0; c < truth.cols(); ++c) {
    double mean = 0, size = 0;
    for (Index i = 0; i < y.rows(); ++i) mean += truth(i, c) / n;
    std::vector<double> rest;
    for (Index i = 0; i < y.rows(); ++i)
      rest.push_back(truth(i, c) - mean), size = std::max(size, std::abs(rest.back()));
    for (Index k = 0; k < y.cols(); ++k) {
      double along = 0;
      for (Index i = 0; i < y.rows(); ++i) along += rest[static_cast<std::size_t>(i)] * y(i, k) / n;
      for (Index i = 0; i < y.rows(); ++i) rest[static_cast<std::size_t>(i)] -= along * y(i, k);
    }
    for (const double r : rest) worst = std::max(worst, std::abs(r) / size);
  }
  return worst;
}

/// Y'Y = n I and mean 0.
void expect_normalized(const Array2<double>& y) {
  const auto n = static_cast<double>(y.rows());
  for (Index a = 0; a < y.cols(); ++a) {
    double sum = 0;
    for (Index i = 0; i < y.rows(); ++i) sum += y(i, a) / n;
    EXPECT_NEAR(sum, 0, 1e-9);
    for (Index b = 0; b < y.cols(); ++b) {
      double dot = 0;
      for (Index i = 0; i < y.rows(); ++i) dot += y(i, a) * y(i, b) / n;
      EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-9);
    }
  }
}

void expect_finite(const Array2<double>& y) {
  for (Index i = 0; i < y.size(); ++i) ASSERT_TRUE(std::isfinite(y.data()[i])) << i;
}

TEST_P(LocalAlignment, FlatSheetsAreRecovered) {
  // Up to 800 points are solved densely, more by factorisation.
  for (const auto& [d, n, k] : {Sheet{1, 150, 10}, Sheet{2, 300, 12}, Sheet{2, 1200, 12}, Sheet{3, 1200, 14}})
    for (const Index features : {3, 50}) {
      const Array2<double> truth = cube(n, d, 1);
      const Model model = fit(product(truth, normal_matrix(d, features, 2)), with(d, k));
      EXPECT_LT(affine_residual(model.coordinates(), truth), 1e-8) << d << ' ' << n << ' ' << features;
      expect_normalized(model.coordinates());
      EXPECT_LT(model.attribute<double>("reconstruction_cost"), 1e-15 * static_cast<double>(n));
    }
}

TEST_P(LocalAlignment, FlatSheetsAreRecoveredInAnyUnitAndPlace) {
  const Array2<double> truth = cube(600, 2, 3);
  const Array2<double> x = product(truth, normal_matrix(2, 5, 4));
  for (const double scale : {1e-6, 1e150, 1e-150}) {
    const Model model = fit(scaled_by(x, scale), with(2, 12));
    EXPECT_LT(affine_residual(model.coordinates(), truth), 1e-8) << scale;
  }
  // At an offset of 1e8 the coordinates themselves are rounded to 1.5e-8, a 1e-6th of the distance between neighbours.
  const Model model = fit(shifted_by(x, 1e8), with(2, 12));
  EXPECT_LT(affine_residual(model.coordinates(), truth), 1e-4);
}

void LocalAlignment::expect_same_axes_in_any_unit(const std::vector<Sheet>& sheets) const {
  for (const auto& [d, n, k] : sheets) {
    const Array2<double> x = product(cube(n, d, 31), normal_matrix(d, 4, 32));
    const Model model = fit(x, with(d, k));
    const auto expect_same = [&model](const Model& other, std::string_view what) {
      EXPECT_LT(relative_difference(other.coordinates(), model.coordinates()), 1e-7)
          << what << ' ' << model.coordinates().rows() << " x " << model.coordinates().cols();
    };
    expect_same(fit(scaled_by(x, 3), with(d, k)), "x 3");
    expect_same(fit(scaled_by(x, 1e300), with(d, k)), "x 1e300");
    expect_same(fit(shifted_by(x, 1), with(d, k)), "+ 1");
    expect_same(fit(product(x, rotation(4, 33)), with(d, k)), "turned");
    for (const std::string solver : {"dense", "shift_invert"})
      expect_same(fit(x, with(d, k, "eigen_solver", solver)), solver);
    expect_same(fit(x, with(d, k, "random_state", std::int64_t{7})), "seed");
  }
}

TEST_P(LocalAlignment, AxesOfAFlatSheetAreNotRounding) {
  expect_same_axes_in_any_unit({{2, 400, 12}, {2, 850, 12}, {3, 400, 16}});
}
TEST_P(LocalAlignmentSlow, AxesOfAFlatSheetAreNotRounding) {
  expect_same_axes_in_any_unit({{2, 1500, 12}, {3, 1500, 16}});
}

TEST_P(LocalAlignment, ValuesAreNotNegativeAndAscend) {
  const auto expect_ordered = [](const Model& model) {
    const std::vector<double>& values = model.embedding().spectrum.values;
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << values.front() << ' ' << values.back();
    EXPECT_GE(values.front(), 0);
  };
  // All three features of a roll are fitted perfectly by tangent spaces of three dimensions.
  const Array2<double> roll = make_dataset("swiss_roll", 1000, 34).points;
  expect_ordered(fit(roll, with(3, 12)));
  Array2<double> parts = product(cube(600, 2, 35), normal_matrix(2, 3, 36));
  for (Index i = 400; i < 600; ++i) parts(i, 0) += 100;
  expect_ordered(fit(parts, with(2, 12)));
}

TEST_P(LocalAlignment, FineCurvesAreDetermined) {
  const Index n = 20'000;
  Array2<double> x(n, 3), t(n, 1);
  for (Index i = 0; i < n; ++i) {
    t(i, 0) = static_cast<double>(i) / static_cast<double>(n);
    x(i, 0) = std::cos(9 * t(i, 0)), x(i, 1) = std::sin(9 * t(i, 0)), x(i, 2) = 3 * t(i, 0);
  }
  const Model model = fit(x, with(1, 12));
  EXPECT_FALSE(has_warning(model, "null-space"));
  EXPECT_GT(affine_r2(model.coordinates(), t).front(), 1 - 1e-7);
}

void LocalAlignment::expect_unrolled(std::uint64_t seeds) const {
  // scikit-learn's roll is dense in its inner turns, where it bends most; a uniform one is thin there, and the median
  // by which modified LLE tells the signal does not fit them.
  struct Case {
    std::string density;
    double least;
  };
  const bool is_modified = GetParam() == "mlle";
  for (const auto& [density, least] :
       {Case{"nonuniform", is_modified ? 0.9995 : 0.998}, Case{"uniform", is_modified ? 0.995 : 0.999}})
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Dataset roll = make_dataset("swiss_roll", 2000, seed, {{"density", density}});
      const Model model = fit(roll.points, with(2, 12));
      for (const double r2 : affine_r2(model.coordinates(), roll.truth)) EXPECT_GE(r2, least) << density << ' ' << seed;
      expect_normalized(model.coordinates());
    }
}

TEST_P(LocalAlignment, SwissRollIsUnrolled) { expect_unrolled(2); }
TEST_P(LocalAlignmentSlow, SwissRollIsUnrolledForTenSeeds) { expect_unrolled(10); }

TEST_P(LocalAlignment, SolversAgree) {
  const Dataset roll = make_dataset("swiss_roll", 700, 5);
  const auto rows = [&](const std::string& solver) {
    const Model model = fit(roll.points, with(2, 12, "eigen_solver", solver));
    return scaled_by(transposed(model.coordinates()), 1 / std::sqrt(700.0));
  };
  EXPECT_LT(subspace_difference(rows("dense"), rows("shift_invert")), 1e-6);
}

TEST_P(LocalAlignment, DistancesAloneGiveTheSameMap) {
  const Dataset roll = make_dataset("swiss_roll", 500, 6);
  const Array2<double> d = distances_between(roll.points);
  const Model from_points = fit(roll.points, with(2, 12));
  const Model from_distances = fit(d, with(2, 12, "metric", std::string("precomputed")));
  EXPECT_LT(difference_up_to_sign(from_distances.coordinates(), from_points.coordinates()), 1e-6);
  SparseMatrix sparse{.rows = 500, .cols = 500};
  for (Index i = 0; i < 500; ++i) {
    for (Index j = 0; j < 500; ++j)
      if (i != j) sparse.columns.push_back(j), sparse.values.push_back(d(i, j));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  const Model from_sparse = find_method(GetParam()).fit(SparseDistances(sparse), with(2, 12), {});
  EXPECT_LT(difference_up_to_sign(from_sparse.coordinates(), from_points.coordinates()), 1e-6);
}

TEST_P(LocalAlignment, ManyCopiesOfPoints) {
  // Each place has 15 copies, more than there are neighbours: every patch is a place of its own.
  const Array2<double> x = with_duplicates(300, 3, 15, 7);
  expect_finite(fit(x, with(2, 8)).coordinates());
  // Copies of one place among others: they stay together.
  Array2<double> some = cube(400, 2, 8);
  for (Index i = 0; i < 30; ++i) std::copy_n(some.row(100), 2, some.row(i));
  const Model model = fit(some, with(2, 10));
  expect_finite(model.coordinates());
  EXPECT_TRUE(has_warning(model, "flat-neighborhoods"));
  EXPECT_FALSE(has_warning(fit(cube(400, 2, 8), with(2, 10)), "flat-neighborhoods"));
  // Points whose neighbours are all copies of one other place are drawn to it by weights, not by tangents.
  const double slack = GetParam() == "mlle" ? 0.01 : 1e-6;
  for (Index i = 1; i < 30; ++i)
    for (Index k = 0; k < 2; ++k) EXPECT_NEAR(model.coordinates()(i, k), model.coordinates()(0, k), slack);
  EXPECT_LT(affine_residual(model.coordinates(), some), GetParam() == "mlle" ? 0.2 : 1e-6);
}

TEST_P(LocalAlignment, CollinearPoints) {
  const Array2<double> x = on_a_line(200, 3, 9);
  const Model model = fit(x, with(2, 10));
  expect_finite(model.coordinates());
  ASSERT_TRUE(has_warning(model, "flat-neighborhoods"));
  EXPECT_EQ(warnings_of(model, "flat-neighborhoods").front().message.find("200 of 200 neighborhoods"), 0U);
  EXPECT_FALSE(has_warning(fit(x, with(1, 10)), "flat-neighborhoods"));
  Array2<double> first(200, 1);
  for (Index i = 0; i < 200; ++i) first(i, 0) = x(i, 0);
  EXPECT_LT(affine_residual(model.coordinates(), first), 1e-8);
}

TEST_P(LocalAlignment, OutlierIsTiedToItsNeighbors) {
  // Nobody's neighbour: without its own patch it would be an eigenvector of value 0.
  Array2<double> x = cube(300, 2, 10);
  x(150, 0) = 3, x(150, 1) = 3;
  const Model model = fit(x, with(2, 12));
  EXPECT_LT(affine_residual(model.coordinates(), x), 1e-8);
}

TEST_P(LocalAlignment, IdenticalPointsAreRefused) {
  Array2<double> x(40, 3);
  std::fill_n(x.data(), x.size(), 2.5);
  expect_error(ErrorKind::InvalidData, "identical", [&] { fit(x, with(2, 10)); });
}

TEST_P(LocalAlignment, FewestNeighbors) {
  const Array2<double> truth = cube(500, 2, 11);
  const std::int64_t fewest = GetParam() == "hlle" ? 6 : GetParam() == "mlle" ? 3 : 4;
  expect_error(ErrorKind::InvalidOption, "must be at least " + std::to_string(fewest),
               [&] { fit(truth, with(2, fewest - 1)); });
  expect_finite(fit(truth, with(2, fewest)).coordinates());
  expect_error(ErrorKind::InvalidOption, "n_neighbors=500 must be less than", [&] { fit(truth, with(2, 500)); });
  expect_error(ErrorKind::InvalidOption, "n_components=3", [&] { fit(truth, with(3, 12)); });
  // Chosen for me: what is needed.
  const Array2<double> wide = normal_matrix(120, 8, 12);
  const Model model = fit(wide, {{"n_components", std::int64_t{5}}});
  expect_finite(model.coordinates());
  expect_error(ErrorKind::InvalidOption, "more points", [&] {
    fit(rows_of(wide, 0, 6), {{"n_components", std::int64_t{5}}});
  });
}

TEST_P(LocalAlignment, RadiusOfTooFewNeighborsIsRefused) {
  Array2<double> x = cube(300, 2, 13);
  x(7, 0) = 5;
  expect_error(ErrorKind::InvalidData, "point 8 has 0 neighbors", [&] { fit(x, {{"radius", 0.3}}); });
  x(7, 0) = 0.5;
  EXPECT_LT(affine_residual(fit(x, {{"radius", 0.3}}).coordinates(), x), 1e-8);
}

TEST_P(LocalAlignment, PartsAreMappedApartWithAWarning) {
  const Array2<double> x = two_clusters(150, 100, 3, 1, 100, 14);
  const Model model = fit(x, with(2, 10));
  EXPECT_TRUE(has_warning(model, "graph-disconnected"));
  expect_finite(model.coordinates());
  expect_error(ErrorKind::Disconnected, "2", [&] { fit(x, with(2, 10, "components", std::string("error"))); });
  // Joined, the two are one map, in which the edge between them holds them together.
  const Model joined = fit(x, with(2, 10, "components", std::string("connect")));
  EXPECT_EQ(joined.attribute<std::int64_t>("components"), 1);
  EXPECT_EQ(joined.attribute<std::int64_t>("joining_edges"), 1);
  expect_normalized(joined.coordinates());
  // Kept, the first coordinate tells them apart and is constant on each; the second is orthogonal to it.
  const Model kept = fit(x, with(2, 10, "components", std::string("keep")));
  EXPECT_EQ(kept.attribute<std::int64_t>("components"), 2);
  expect_normalized(kept.coordinates());
  const auto place = [&](Index i) { return kept.coordinates()(i, 0); };
  for (Index i = 0; i < 250; ++i) EXPECT_NEAR(place(i), place(i < 150 ? 0 : 150), 1e-9);
  EXPECT_GT(std::abs(place(0) - place(150)), 1);
  const std::string message = warnings_of(kept, "graph-disconnected").front().message;
  EXPECT_NE(message.find("the first coordinate tells the parts apart only"), std::string::npos) << message;
}

TEST_P(LocalAlignment, LandmarksThatCannotKeepComponentsTellWhyTheyWould) {
  Array2<double> x = cube(2000, 2, 38);
  for (Index i = 1000; i < 2000; ++i) x(i, 0) += 100;
  OptionValues options = with(2, 12, "components", std::string("keep"));
  options.push_back({"max_factor_gib", 0.0});
  expect_error(ErrorKind::Unsupported, "more than max_factor_gib=0, and 2 components", [&] { fit(x, options); });
}

TEST_P(LocalAlignment, PartsInOneMapAreSeparatedByTheHintOfTheirNullSpace) {
  Array2<double> x = cube(600, 2, 39);
  for (Index i = 300; i < 600; ++i) x(i, 0) += 100;
  const Model kept = fit(x, with(2, 12, "components", std::string("keep")));
  const std::vector<Warning> told = warnings_of(kept, "null-space");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front().hint.find("components=separate"), std::string::npos) << told.front().hint;
}

TEST_P(LocalAlignment, ErrorsNameTheMethod) {
  const std::string who = GetParam();
  // A sparse matrix without the distances among neighbours.
  const Array2<double> d = distances_between(cube(60, 2, 40));
  SparseMatrix sparse{.rows = 60, .cols = 60};
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 60; ++j)
      if (std::abs(i - j) == 1 || std::abs(i - j) > 40 || i % 3 == j % 3)
        if (i != j) sparse.columns.push_back(j), sparse.values.push_back(d(i, j));
    sparse.offsets.push_back(std::ssize(sparse.columns));
  }
  expect_error(ErrorKind::InvalidData, who + ": rows",
               [&] { find_method(who).fit(SparseDistances(sparse), with(2, 8), {}); });
  const Array2<double> roll = make_dataset("swiss_roll", 3000, 41).points;
  const unroll::Run little{.memory_budget = 100'000'000};
  expect_error(ErrorKind::OutOfMemory, who + ": needs",
               [&] { fit(roll, with(2, 12, "n_landmarks", std::int64_t{2000}), little); });
}

TEST_P(LocalAlignment, ThreadsChangeNoBit) {
  const Dataset roll = make_dataset("swiss_roll", 3000, 15);
  const Array2<double> one = fit(roll.points, with(2, 12), {.threads = 1}).coordinates();
  for (const int threads : {2, 3, 8}) EXPECT_EQ(fit(roll.points, with(2, 12), {.threads = threads}).coordinates(), one);
}

TEST_P(LocalAlignment, NewPointsLandInTheSheet) {
  const Array2<double> truth = cube(800, 2, 16), map = normal_matrix(2, 4, 17);
  const Model model = fit(rows_of(product(truth, map), 0, 600), with(2, 12));
  Array2<double> y = model.transform(product(truth, map));
  for (Index i = 0; i < 600; ++i)
    for (Index k = 0; k < 2; ++k) EXPECT_EQ(y(i, k), model.coordinates()(i, k));
  // The affine function of the truth that the training points tell holds for the others.
  const std::vector<double> r2 = affine_r2(y, truth);
  for (const double value : r2) EXPECT_GT(value, 1 - 1e-9);
  // A row does not depend on the rows beside it, nor on a journey through a file.
  const Array2<double> alone = model.transform(rows_of(product(truth, map), 700, 1));
  for (Index k = 0; k < 2; ++k) EXPECT_EQ(alone(0, k), y(700, k));
  const ScratchFolder folder;
  model.save(folder / "model.unroll");
  EXPECT_EQ(load_model(folder / "model.unroll").transform(product(truth, map)), y);
}

TEST_P(LocalAlignment, NewPointsFromDistances) {
  const Array2<double> truth = cube(500, 2, 18);
  const Array2<double> all = distances_between(truth);
  Array2<double> train(400, 400), fresh(100, 400);
  for (Index i = 0; i < 500; ++i) std::copy_n(all.row(i), 400, i < 400 ? train.row(i) : fresh.row(i - 400));
  const Model model = fit(train, with(2, 12, "metric", std::string("precomputed")));
  const Array2<double> y = model.transform(fresh);
  for (const double value : affine_r2(y, rows_of(truth, 400, 100))) EXPECT_GT(value, 1 - 1e-9);
}

TEST_P(LocalAlignment, DistancesOfNewPointsMayBeTooLarge) {
  const Array2<double> d = distances_between(cube(100, 2, 37));
  const Model model = fit(d, with(2, 10, "metric", std::string("precomputed")));
  const Array2<double> far = shifted_by(rows_of(d, 0, 1), 1e160);
  expect_error_of_row(ErrorKind::InvalidData, 0, GetParam() + ": row 1 is so far from its nearest training points",
                      [&] { model.transform(far); });
}

TEST_P(LocalAlignment, NewPointsComeToTrainingPointsContinuously) {
  if (GetParam() == "mlle") return;  // weights, with their regularization
  const Dataset roll = make_dataset("swiss_roll", 1000, 19, {{"noise", 0.1}});
  const Model model = fit(roll.points, with(2, 12));
  const Array2<double> moved = shifted_by(roll.points, 1e-9);
  EXPECT_LT(relative_difference(model.transform(moved), model.coordinates()), 1e-6);
  // From distances alone, too.
  const Array2<double> d = distances_between(rows_of(roll.points, 0, 300));
  Array2<double> fresh(300, 300);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 300; ++j) {
      double square = 0;
      for (Index f = 0; f < 3; ++f) square += std::pow(moved(i, f) - roll.points(j, f), 2);
      fresh(i, j) = std::sqrt(square);
    }
  const Model given = fit(d, with(2, 12, "metric", std::string("precomputed")));
  EXPECT_LT(relative_difference(given.transform(fresh), given.coordinates()), 1e-6);
}

TEST_P(LocalAlignment, HeldOutPointsAreUnrolled) {
  const Dataset roll = make_dataset("swiss_roll", 2000, 20), fresh = make_dataset("swiss_roll", 500, 21);
  const Model model = fit(roll.points, with(2, 12));
  const double least = GetParam() == "mlle" ? 0.99 : 0.998;
  for (const double r2 : affine_r2(model.transform(fresh.points), fresh.truth)) EXPECT_GT(r2, least);
}

TEST_P(LocalAlignment, MemoryIsPlannedBeforeTheFits) {
  const Array2<double> x = cube(3000, 2, 22);
  const std::string who = GetParam();
  expect_error(ErrorKind::OutOfMemory, who + ": needs", [&] { fit(x, with(2, 12), {.memory_budget = 2'000'000}); });
  expect_error(ErrorKind::OutOfMemory, "n_landmarks=1000", [&] { fit(x, with(2, 12), {.memory_budget = 2'000'000}); });
}

TEST_P(LocalAlignment, PartsAreAllTold) {
  // A sheet of 300 points, whose share of eight landmarks is six, and two small ones: nowhere are half of them enough.
  Array2<double> x = cube(400, 2, 23);
  for (Index i = 300; i < 400; ++i) x(i, 0) += i < 350 ? 10 : 20;
  const Model model = fit(x, with(2, 10, "n_landmarks", std::int64_t{8}));
  const std::vector<Warning> few = warnings_of(model, "few-landmarks");
  ASSERT_EQ(few.size(), 1U);
  EXPECT_NE(few.front().message.find("component 1, of 300 points"), std::string::npos) << few.front().message;
  EXPECT_NE(few.front().message.find("2 other components"), std::string::npos) << few.front().message;
  EXPECT_NE(few.front().hint.find("a larger n_landmarks"), std::string::npos) << few.front().hint;
  EXPECT_EQ(model.attribute<std::vector<std::int64_t>>("landmarks").size(), 12U);  // those of all
}

TEST_P(LocalAlignment, SpectrumIsThatOfAMap) {
  // The largest component is 60 copies of one place; the second is a sheet.
  Array2<double> x = cube(110, 2, 24);
  for (Index i = 0; i < 60; ++i) x(i, 0) = x(i, 1) = 50;
  const Model model = fit(x, with(2, 10));
  EXPECT_EQ(model.embedding().spectrum.values.size(), 2U);
  const std::vector<Warning> largest = warnings_of(model, "largest-component");
  ASSERT_EQ(largest.size(), 1U);
  EXPECT_NE(largest.front().message.find("of 50 points"), std::string::npos) << largest.front().message;
  // Where every component is one place, there is none.
  const Model places = fit(with_duplicates(300, 3, 15, 7), with(2, 8));
  EXPECT_TRUE(places.embedding().spectrum.values.empty());
  EXPECT_FALSE(has_warning(places, "largest-component"));
  EXPECT_TRUE(has_warning(places, "zero-variance"));
}

TEST_P(LocalAlignment, FewLandmarksAreToldWithoutAnEstimate) {
  const Array2<double> x = cube(300, 2, 25);
  const Model model = fit(x, with(2, 10, "n_landmarks", std::int64_t{6}));
  EXPECT_TRUE(has_warning(model, "few-landmarks"));
  EXPECT_THROW(model.attribute<double>("landmark_error"), Error);
}

TEST_P(LocalAlignment, DistancesOfNoPointsAreTold) {
  const Array2<double> x = cube(200, 3, 26);
  const OptionValues given = with(2, 12, "metric", std::string("precomputed"));
  EXPECT_FALSE(has_warning(fit(distances_between(x), given), "not-euclidean"));
  Array2<double> d = distances_between(x);
  for (Index i = 0; i < d.size(); ++i) d.data()[i] *= d.data()[i];  // the triangle inequality fails
  const Model model = fit(d, given);
  const std::vector<Warning> told = warnings_of(model, "not-euclidean");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front().message.find('%'), std::string::npos);
  EXPECT_GT(model.attribute<double>("negative_mass"), 0.05);
}

TEST_P(LocalAlignment, ManyComponentsAreKeptInLittleMemory) {
  // Of 2500 the first three are told from each other and the rest. With n numbers for each component this took 400 MB,
  // and n c^2 steps.
  const Index parts = 2500, size = 8;
  Array2<double> x = cube(parts * size, 2, 27);
  for (Index part = 0; part < parts; ++part)
    for (Index i = 0; i < size; ++i) x(part * size + i, 0) += 10 * static_cast<double>(part);
  const Model model = fit(x, with(2, 7, "components", std::string("keep")));
  // Nothing was solved for: the map tells parts apart, as the warning says, and its vectors are proven all the same.
  EXPECT_EQ(model.embedding().spectrum.solver, "indicators");
  ASSERT_EQ(model.embedding().spectrum.residuals.size(), 2U);
  for (const double residual : model.embedding().spectrum.residuals) EXPECT_LT(residual, 1e-12);
  const std::string message = warnings_of(model, "graph-disconnected").front().message;
  EXPECT_NE(message.find("the first 2499 coordinates tell the parts apart only"), std::string::npos) << message;
  const Array2<double>& y = model.coordinates();
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = 0; k < y.cols(); ++k) {
      const Index part = std::min(i / size, y.cols() + 1);
      ASSERT_NEAR(y(i, k), y(part * size, k), 1e-9);
    }
  expect_normalized(y);
}

const auto kMethods = testing::Values("mlle", "hlle", "ltsa");
const auto method_name = [](const testing::TestParamInfo<std::string>& method) { return method.param; };
INSTANTIATE_TEST_SUITE_P(Methods, LocalAlignment, kMethods, method_name);
INSTANTIATE_TEST_SUITE_P(Methods, LocalAlignmentSlow, kMethods, method_name);

TEST(Hlle, EqualsLtsaWhereThereIsNoMoreThanCurvature) {
  // An S-curve of arc 3 pi and height 5: both distort it alike, since both know it up to an affine map only.
  const Dataset curve = make_dataset("s_curve", 2000, 0);
  const Model hessian = find_method("hlle").fit(curve.points, with(2, 12), {});
  const Model tangent = find_method("ltsa").fit(curve.points, with(2, 12), {});
  const double h = correlation_of_distances(hessian.coordinates(), curve.truth);
  const double t = correlation_of_distances(tangent.coordinates(), curve.truth);
  EXPECT_NEAR(h, t, 0.005);
  EXPECT_GT(t, 0.89);
  EXPECT_LT(t, 0.92);
}

TEST(Ltsa, TooLargeANullSpaceIsTold) {
  // Four neighbours, without the point itself, leave one equation each: many functions cost nothing.
  const Array2<double> x = cube(400, 2, 28);
  const Model loose = find_method("ltsa").fit(x, with(2, 4), {});
  const std::vector<Warning> told = warnings_of(loose, "null-space");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front().message.find("not determined"), std::string::npos) << told.front().message;
  EXPECT_NE(told.front().hint.find("n_neighbors"), std::string::npos) << told.front().hint;
  for (const std::string method : {"ltsa", "hlle", "mlle"})
    EXPECT_FALSE(has_warning(find_method(method).fit(x, with(2, 12), {}), "null-space")) << method;
  // Of three landmarks there is no further function; what they span is linear, and costs nothing beside the norm of M.
  EXPECT_NO_THROW(find_method("ltsa").fit(x, with(2, 12, "n_landmarks", std::int64_t{3}), {}));
}

TEST(Ltsa, PartsTooLargeToLookForTheConnectingKAreToBeJoined) {
  Array2<double> x = cube(20'000, 2, 42);
  for (Index i = 10'000; i < 20'000; ++i) x(i, 0) += 50;
  const Model model = find_method("ltsa").fit(x, with(2, 12), {});
  const std::vector<Warning> told = warnings_of(model, "graph-disconnected");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().hint, "use components=connect, or a larger n_neighbors");
}

TEST(Ltsa, LandmarksOfDistancesOfNoPointsAreTold) {
  const Array2<double> x = cube(300, 3, 29);
  Array2<double> d = distances_between(x);
  for (Index i = 0; i < d.size(); ++i) d.data()[i] = std::pow(d.data()[i], 4);
  OptionValues options = with(2, 12, "metric", std::string("precomputed"));
  options.push_back({"n_landmarks", std::int64_t{40}});
  const Model model = find_method("ltsa").fit(d, options, {});
  const std::vector<Warning> told = warnings_of(model, "not-euclidean");
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const Warning& warning) {
    return warning.message.find("to landmarks") != std::string::npos;
  }));
}

TEST(Mlle, ReportsEta) {
  const Dataset roll = make_dataset("swiss_roll", 1000, 0);
  const auto eta = find_method("mlle").fit(roll.points, with(2, 12), {}).attribute<double>("eta");
  EXPECT_GT(eta, 0);
  EXPECT_LT(eta, 0.1);
}

// Neighbourhoods of 60 points in a flat space: all but a few eigenvalues of their inner products are rounding.
TEST(LocalAlignment, ManyNeighborsInAFlatSpace) {
  const Dataset flat = make_dataset("linear_subspace", 500);
  for (const char* name : {"mlle", "hlle", "ltsa"}) {
    const OptionValues options{{"n_neighbors", std::int64_t{60}}, {"n_components", std::int64_t{flat.truth.cols()}}};
    const Model model = find_method(name).fit(flat.points, options, {});
    for (const double r2 : affine_r2(model.coordinates(), flat.truth)) EXPECT_GT(r2, 0.9999) << name;
  }
}

}  // namespace
}  // namespace unroll
