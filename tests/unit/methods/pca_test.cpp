#include "unroll/methods/pca.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/eigen_reference.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

using Reals = std::vector<double>;

Array2<double> digits() {
  const Table table = read_table(UNROLL_SOURCE_DIR "/data/digits.csv.gz", {.label_column = "digit"});
  Array2<double> x(table.view().rows(), table.view().cols());
  table.view().visit([&](auto view) { std::copy_n(view.data, x.size(), x.data()); });
  return x;
}

double sum(const Reals& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::vector<std::string> warning_codes(const Model& model) {
  std::vector<std::string> codes;
  for (const Warning& warning : model.embedding().warnings) codes.push_back(warning.code);
  return codes;
}

/// X^T X / (n - 1) of columns that have mean 0.
Array2<double> covariance_of(const Array2<double>& x) {
  Array2<double> covariance = product(transposed(x), x);
  for (Index i = 0; i < covariance.size(); ++i) covariance.data()[i] /= static_cast<double>(x.rows() - 1);
  return covariance;
}

Reals means_of(const Array2<double>& x) {
  Reals means(static_cast<std::size_t>(x.cols()));
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) means[static_cast<std::size_t>(j)] += x(i, j) / static_cast<double>(x.rows());
  return means;
}

// Eigen's solver on the plainly computed covariance is an independent reference.
TEST(Pca, VariancesAreThoseOfTheCovarianceMatrix) {
  const Array2<double> x = digits();
  ASSERT_EQ(x.rows(), 1797);
  ASSERT_EQ(x.cols(), 64);
  const Reals means = means_of(x);
  Array2<double> centered = x;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.cols(); ++j) centered(i, j) -= means[static_cast<std::size_t>(j)];
  const Reals ascending = pairs_by_eigen(covariance_of(centered)).values,
              expected(ascending.rbegin(), ascending.rend());
  for (const AxesSolver solver : {AxesSolver::Covariance, AxesSolver::Gram, AxesSolver::Randomized}) {
    const Model model = pca(x, {.n_components = 10, .solver = solver});
    const auto& variance = model.attribute<Reals>("explained_variance");
    for (std::size_t k = 0; k < 10; ++k) EXPECT_NEAR(variance[k] / expected[k], 1, 1e-9);
    EXPECT_NEAR(model.attribute<double>("total_variance") / sum(expected), 1, 1e-12);
    // The scores have those variances and are uncorrelated.
    const Array2<double> covariance = covariance_of(model.coordinates());
    for (Index k = 0; k < 10; ++k)
      for (Index l = 0; l < 10; ++l)
        EXPECT_NEAR(covariance(k, l), k == l ? expected[static_cast<std::size_t>(k)] : 0, 1e-6 * expected.front());
    for (const double mean : means_of(model.coordinates())) EXPECT_NEAR(mean, 0, 1e-10);
  }
}

TEST(Pca, ReconstructionHasTheReportedError) {
  const Array2<double> x = digits();
  const Model model = pca(x, {.n_components = 20});
  const Array2<double> back = model.inverse_transform(model.coordinates());
  double error = 0;
  for (Index i = 0; i < x.size(); ++i) error += std::pow(back.data()[i] - x.data()[i], 2);
  EXPECT_NEAR(error / 1797 / model.attribute<double>("reconstruction_error"), 1, 1e-10);
}

TEST(Pca, AllComponentsReconstructThePoints) {
  const Array2<double> x = normal_matrix(30, 6, 1);
  for (const bool whiten : {false, true}) {
    const Model model = pca(x, {.n_components = 6, .whiten = whiten});
    EXPECT_LT(relative_difference(model.inverse_transform(model.coordinates()), x), 1e-13);
    EXPECT_NEAR(sum(model.attribute<Reals>("explained_variance_ratio")), 1, 1e-13);
  }
}

TEST(Pca, WhiteningGivesUnitVariances) {
  const Array2<double> y = pca(anisotropic_points(200, 5, 2), {.n_components = 4, .whiten = true}).coordinates();
  const Array2<double> covariance = covariance_of(y);
  for (Index k = 0; k < 4; ++k)
    for (Index l = 0; l < 4; ++l) EXPECT_NEAR(covariance(k, l), k == l ? 1 : 0, 1e-12);
}

TEST(Pca, FractionOfTheVarianceAsNComponents) {
  const Array2<double> x = digits();
  const Model model = pca(x, {.n_components = 0.9});
  const auto& ratio = model.attribute<Reals>("explained_variance_ratio");
  EXPECT_GE(sum(ratio), 0.9);
  EXPECT_LT(sum(ratio) - ratio.back(), 0.9);
  EXPECT_EQ(model.n_components(), 21);  // scikit-learn 1.2.1 keeps as many
}

TEST(Pca, CubeCornersHaveEqualVariances) {
  Array2<double> x(8, 3);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 3; ++j) x(i, j) = ((i >> j) & 1) != 0 ? 1 : -1;
  for (const double variance : pca(x, {.n_components = 3}).attribute<Reals>("explained_variance"))
    EXPECT_NEAR(variance, 8.0 / 7, 1e-14);
}

TEST(Pca, SuggestsTheGap) {
  // Three strong directions, then noise a thousand times weaker.
  Array2<double> x = normal_matrix(300, 12, 5);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 3; j < 12; ++j) x(i, j) *= 0.03;
  EXPECT_EQ(pca(x, {.n_components = 2}).attribute<std::int64_t>("suggested_components"), 3);
}

TEST(Pca, NoComponentsIsAnAnswer) {
  for (const AxesSolver solver : {AxesSolver::Auto, AxesSolver::Gram, AxesSolver::Randomized}) {
    const Model model = pca(normal_matrix(9, 4, 1), {.n_components = 0, .solver = solver});
    EXPECT_EQ(model.coordinates().rows(), 9);
    EXPECT_EQ(model.n_components(), 0);
    EXPECT_EQ(model.transform(normal_matrix(2, 4, 2)).rows(), 2);
  }
}

TEST(Pca, IdenticalPointsAreZerosWithAWarning) {
  Array2<double> x(5, 3);
  std::fill_n(x.data(), x.size(), 0.1);
  const Model model = pca(x);
  EXPECT_EQ(max_abs(model.coordinates()), 0);
  EXPECT_EQ(model.attribute<Reals>("explained_variance_ratio"), (Reals{0, 0}));
  EXPECT_EQ(warning_codes(model), (std::vector<std::string>{"zero-variance"}));
}

TEST(Pca, OnePointIsAccepted) {
  const Model model = pca(normal_matrix(1, 3, 1), {.n_components = 1});
  EXPECT_EQ(max_abs(model.coordinates()), 0);
}

TEST(Pca, RankIsReported) {
  Array2<double> x(20, 4);
  for (Index i = 0; i < 20; ++i) x(i, 0) = static_cast<double>(i), x(i, 2) = -3.0 * static_cast<double>(i);
  const Model model = pca(x, {.n_components = 3});
  EXPECT_EQ(model.attribute<std::int64_t>("rank"), 1);
  EXPECT_EQ(model.attribute<Reals>("explained_variance")[1], 0);
  EXPECT_EQ(warning_codes(model), (std::vector<std::string>{"rank-deficient"}));
}

TEST(Pca, VariancesBeyondDoubleAreGivenInAnotherUnit) {
  Array2<double> x = normal_matrix(20, 3, 1);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] *= 1e300;
  const Model model = pca(x);
  EXPECT_EQ(warning_codes(model), (std::vector<std::string>{"variance-range"}));
  const double unit = model.attribute<double>("variance_unit");
  const Model plain = pca(normal_matrix(20, 3, 1));
  const double expected = plain.attribute<Reals>("explained_variance")[0];
  EXPECT_NEAR(model.attribute<Reals>("explained_variance")[0] / expected / std::pow(unit * 1e300, 2), 1, 1e-12);
  EXPECT_NEAR(
      model.attribute<Reals>("singular_values")[0] / (unit * 1e300) / plain.attribute<Reals>("singular_values")[0], 1,
      1e-12);
}

TEST(Pca, SingularValuesBeyondDoubleToo) {
  Array2<double> x(100, 2);
  for (Index i = 0; i < 100; ++i) x(i, 0) = i % 2 == 0 ? 1e308 : -1e308;
  const Model model = pca(x, {.n_components = 1});
  EXPECT_TRUE(std::isfinite(model.attribute<Reals>("singular_values")[0]));
  EXPECT_NEAR(std::abs(model.coordinates()(0, 0)) / 1e308, 1, 1e-12);
}

TEST(Pca, RandomizedClaimsNoRank) {
  expect_error(ErrorKind::InvalidOption, "rank", [] {
    pca(anisotropic_points(300, 300, 1), {.solver = AxesSolver::Randomized}).attribute<std::int64_t>("rank");
  });
}

TEST(Pca, MoreComponentsThanThereCanBe) {
  expect_error(ErrorKind::InvalidOption, "n_components=5 must be at most min(n_samples, n_features)=3",
               [] { pca(normal_matrix(3, 9, 1), {.n_components = 5}); });
  expect_error(ErrorKind::InvalidOption, "n_components=2.5",
               [] { pca(normal_matrix(5, 5, 1), {.n_components = 2.5}); });
}

TEST(Pca, FeatureScalingIsPartOfTheModel) {
  Array2<double> x = normal_matrix(50, 3, 4);
  for (Index i = 0; i < 50; ++i) x(i, 1) *= 1000;
  const Model model = pca(x, {.n_components = 3, .scale = Scaling::Standardize});
  EXPECT_NEAR(model.attribute<double>("total_variance"), 3 * 50.0 / 49, 1e-12);  // each scaled feature: divisor n
  EXPECT_LT(relative_difference(model.transform(x), model.coordinates()), 1e-12);
  EXPECT_LT(relative_difference(model.inverse_transform(model.coordinates()), x), 1e-12);
}

}  // namespace
}  // namespace unroll
