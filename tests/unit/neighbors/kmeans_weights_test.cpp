// Weights of points: a weight is how often a point counts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/neighbors/kmeans.h"

namespace unroll {
namespace {

using Reals = std::vector<double>;

/// Every row as often as its weight says.
Array2<double> repeated(const Array2<double>& x, const Reals& weights) {
  Index total = 0;
  for (const double weight : weights) total += static_cast<Index>(weight);
  Array2<double> result(total, x.cols());
  Index out = 0;
  for (Index i = 0; i < x.rows(); ++i)
    for (auto left = static_cast<Index>(weights[static_cast<std::size_t>(i)]); left > 0; --left)
      std::copy_n(x.row(i), x.cols(), result.row(out++));
  return result;
}

Reals some_weights(Index n) {
  Reals weights;
  for (Index i = 0; i < n; ++i) weights.push_back(static_cast<double>(i * 7 % 4));
  return weights;
}

TEST(KMeansWeights, CountAsRepetitions) {
  const Array2<double> x = normal_matrix(200, 3, 1);
  const Reals weights = some_weights(200);
  Array2<double> start(4, 3);
  std::copy_n(x.data(), start.size(), start.data());
  const KMeans found = kmeans(x, start, {.tol = 0}, {}, weights);
  const KMeans expected = kmeans(repeated(x, weights), start, {.tol = 0});
  EXPECT_NEAR(found.inertia, expected.inertia, 1e-10 * expected.inertia);
  for (Index i = 0; i < start.size(); ++i) EXPECT_NEAR(found.centers.data()[i], expected.centers.data()[i], 1e-12);
  EXPECT_EQ(found.labels, nearest_centers(x, found.centers));
}

TEST(KMeansWeights, OnesAndAnyUnitChangeNothing) {
  const Array2<double> x = normal_matrix(150, 2, 2);
  const KMeansOptions options{.n_clusters = 5, .n_init = 3};
  Reals weights = some_weights(150);
  const KMeans weighted = kmeans(x, options, {}, weights);
  for (double& weight : weights) weight *= 0.5;
  const KMeans halved = kmeans(x, options, {}, weights);
  EXPECT_EQ(halved.centers, weighted.centers);
  EXPECT_DOUBLE_EQ(halved.inertia, weighted.inertia / 2);
  Array2<double> start(5, 2);
  std::copy_n(x.data(), start.size(), start.data());
  EXPECT_EQ(kmeans(x, start, options, {}, Reals(150, 3.0)).centers, kmeans(x, start, options).centers);
}

TEST(KMeansWeights, PointsOfWeightZeroMoveNothing) {
  Array2<double> x = normal_matrix(100, 2, 3);
  Reals weights(100, 1.0);
  for (Index i = 0; i < 100; i += 10) {
    weights[static_cast<std::size_t>(i)] = 0;
    x(i, 0) = 1e6;  // would be a cluster of their own
  }
  const KMeans found = kmeans(x, {.n_clusters = 3}, {}, weights);
  for (Index c = 0; c < 3; ++c) EXPECT_LT(std::abs(found.centers(c, 0)), 10);
  EXPECT_EQ(found.labels.size(), 100U);
}

TEST(KMeansWeights, AreChecked) {
  const Array2<double> x = normal_matrix(4, 2, 4);
  const auto fit = [&](const Reals& weights) { kmeans(x, {.n_clusters = 2}, {}, weights); };
  expect_error(ErrorKind::InvalidData, "there are 3 weights, but 4 points", [&] { fit({1, 1, 1}); });
  expect_error(ErrorKind::InvalidData, "the weight of point 2 is -1", [&] { fit({1, -1, 1, 1}); });
  expect_error(ErrorKind::InvalidData, "the weight of point 4", [&] {
    fit({1, 1, 1, std::numeric_limits<double>::quiet_NaN()});
  });
  expect_error(ErrorKind::InvalidData, "all weights are 0", [&] { fit({0, 0, 0, 0}); });
}

}  // namespace
}  // namespace unroll
