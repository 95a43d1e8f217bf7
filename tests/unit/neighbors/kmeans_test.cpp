#include "unroll/neighbors/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "neighbors/center_search.h"
#include "support/expect_error.h"
#include "support/matrices.h"
#include "unroll/data/table.h"

namespace unroll {
namespace {

/// Round clusters of deviation 1, 20 apart, points dealt out in turn.
Array2<double> blobs(Index n, Index count, Index features, std::uint64_t seed) {
  Array2<double> x = normal_matrix(n, features, seed);
  for (Index i = 0; i < n; ++i) x(i, (i % count) % features) += 20.0 * static_cast<double>(1 + i % count);
  return x;
}

double inertia_of(const Array2<double>& x, const KMeans& found) {
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i)
    sum += squared_distance(x.row(i), found.centers.row(found.labels[static_cast<std::size_t>(i)]), x.cols());
  return sum;
}

Array2<double> mapped(Array2<double> x, double factor, double offset) {
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = factor * x.data()[i] + offset;
  return x;
}

TEST(KMeans, FindsSeparateClusters) {
  const Array2<double> x = blobs(300, 5, 3, 1);
  const KMeans found = kmeans(x, {.n_clusters = 5});
  for (Index i = 0; i < 300; ++i)
    EXPECT_EQ(found.labels[static_cast<std::size_t>(i)], found.labels[static_cast<std::size_t>(i % 5)]);
  EXPECT_EQ(std::set<Index>(found.labels.begin(), found.labels.end()).size(), 5U);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_NEAR(found.inertia, inertia_of(x, found), 1e-12 * found.inertia);
  // Centers are means.
  for (Index c = 0; c < 5; ++c)
    for (Index j = 0; j < 3; ++j) {
      double sum = 0, count = 0;
      for (Index i = 0; i < 300; ++i)
        if (found.labels[static_cast<std::size_t>(i)] == c) {
          sum += x(i, j);
          ++count;
        }
      EXPECT_NEAR(found.centers(c, j), sum / count, 1e-12);
    }
}

TEST(KMeans, SameBitsForAnyNumberOfThreads) {
  const Array2<double> x = normal_matrix(700, 17, 2);
  const KMeansOptions options{.n_clusters = 9, .n_init = 2};
  const KMeans one = kmeans(x, options, unroll::Run{.threads = 1});
  for (const int threads : {2, 3, 8}) {
    const KMeans many = kmeans(x, options, unroll::Run{.threads = threads});
    EXPECT_EQ(many.labels, one.labels);
    EXPECT_EQ(many.centers, one.centers);
    EXPECT_EQ(many.history, one.history);
  }
}

TEST(KMeans, InertiaNeverRises) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const KMeans found = kmeans(normal_matrix(500, 4, seed), {.n_clusters = 20, .n_init = 1, .tol = 0});
    ASSERT_EQ(found.history.size(), static_cast<std::size_t>(found.iterations) + 1);
    for (std::size_t i = 1; i < found.history.size(); ++i)
      EXPECT_LE(found.history[i], found.history[i - 1] * (1 + 1e-14));
    EXPECT_EQ(found.history.back(), found.inertia);
  }
}

// scikit-learn 1.2: KMeans(10, init=X[:10], n_init=1, tol=tol, algorithm="lloyd").fit(X) with X = load_digits().data;
// .inertia_ and np.bincount(.labels_).
TEST(KMeans, AgreesWithScikitLearnFromTheSameStart) {
  const Table digits = read_table(std::string(UNROLL_SOURCE_DIR) + "/data/digits.csv.gz", {.label_column = "digit"});
  const PointsView x = digits.view();
  ASSERT_EQ(x.rows(), 1797);
  ASSERT_EQ(x.cols(), 64);
  Array2<double> start(10, 64);
  x.visit([&](auto view) {
    for (Index c = 0; c < 10; ++c) std::copy_n(view.row(c), 64, start.row(c));
  });
  const KMeans found = kmeans(x, start, {.tol = 1e-4});
  EXPECT_NEAR(found.inertia, 1167859.3840065985, 1e-6);
  std::vector<Index> sizes(10);
  for (const Index label : found.labels) ++sizes[static_cast<std::size_t>(label)];
  EXPECT_EQ(sizes, (std::vector<Index>{179, 120, 89, 178, 163, 370, 181, 199, 164, 154}));
}

TEST(KMeans, DoesNotDependOnUnitsOrOffset) {
  const Array2<double> x = normal_matrix(200, 3, 5);
  const KMeansOptions options{.n_clusters = 6, .n_init = 3};
  const KMeans plain = kmeans(x, options);
  for (const double unit : {0x1p990, 0x1p-990}) {
    const KMeans found = kmeans(mapped(x, unit, 0), options);
    EXPECT_EQ(found.labels, plain.labels);
    EXPECT_EQ(found.centers, mapped(plain.centers, unit, 0));
    EXPECT_TRUE(std::isfinite(found.inertia) && found.inertia > 0);
    ASSERT_EQ(found.warnings.size(), 1U);
    EXPECT_EQ(found.warnings[0].code, "inertia-range");
  }
  const KMeans far = kmeans(mapped(x, 1, 1e8), options);
  EXPECT_EQ(far.labels, plain.labels);
  EXPECT_NEAR(far.inertia, plain.inertia, 1e-6 * plain.inertia);
}

TEST(KMeans, FloatPointsAreReadAsTheyAre) {
  const Array2<float> x = as_float(normal_matrix(150, 5, 8));
  Array2<double> wide(150, 5);
  std::copy_n(x.data(), x.size(), wide.data());
  const KMeans single = kmeans(x, {.n_clusters = 4}), twice = kmeans(wide, {.n_clusters = 4});
  EXPECT_EQ(single.labels, twice.labels);
  EXPECT_EQ(single.centers, twice.centers);
}

TEST(KMeans, EmptyClustersTakeTheFarthestPoint) {
  Array2<double> x(4, 1), start(3, 1);  // the last two centers are far from every point
  x(1, 0) = 1;
  x(2, 0) = 10;
  x(3, 0) = 4;
  start(1, 0) = start(2, 0) = -1e5;
  const KMeans found = kmeans(x, start);
  EXPECT_EQ(found.labels, (std::vector<Index>{0, 0, 1, 2}));
  EXPECT_EQ(found.inertia, 0.5);
  EXPECT_TRUE(found.converged);
}

TEST(KMeans, ClustersLostOnTheWayAreFilledAgain) {
  const Array2<double> x = normal_matrix(300, 2, 4);
  Array2<double> start(40, 2);  // all in one place, but for one
  start(0, 0) = 1;
  const KMeans found = kmeans(x, start);
  EXPECT_EQ(std::set<Index>(found.labels.begin(), found.labels.end()).size(), 40U);
  for (std::size_t i = 1; i < found.history.size(); ++i)
    EXPECT_LE(found.history[i], found.history[i - 1] * (1 + 1e-14));
}

TEST(KMeans, FewerDistinctPointsThanClusters) {
  Array2<double> x(12, 2);
  for (Index i = 0; i < 12; ++i) x(i, 0) = static_cast<double>(i % 3);
  const KMeans found = kmeans(x, {.n_clusters = 5});
  EXPECT_EQ(found.inertia, 0);
  EXPECT_EQ(found.centers.rows(), 5);
  EXPECT_EQ(std::set<Index>(found.labels.begin(), found.labels.end()).size(), 3U);
  for (Index i = 0; i < 10; ++i) EXPECT_TRUE(std::isfinite(found.centers.data()[i]));
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "empty-clusters");
  const KMeans same = kmeans(Array2<double>(4, 2), {.n_clusters = 2});
  EXPECT_EQ(same.labels, std::vector<Index>(4, 0));
}

TEST(KMeans, OneClusterPerPointAndOneForAll) {
  const Array2<double> x = normal_matrix(15, 2, 6);
  const KMeans own = kmeans(x, {.n_clusters = 15});
  EXPECT_NEAR(own.inertia, 0, 1e-25);
  EXPECT_EQ(std::set<Index>(own.labels.begin(), own.labels.end()).size(), 15U);
  const KMeans all = kmeans(x, {.n_clusters = 1});
  EXPECT_EQ(all.labels, std::vector<Index>(15, 0));
}

TEST(KMeans, TiesGoToTheFirstCenter) {
  Array2<double> centers(4, 1), x(3, 1);
  centers(0, 0) = 7;
  centers(1, 0) = 1;
  centers(2, 0) = -1;
  centers(3, 0) = 1;
  x(1, 0) = 1;
  x(2, 0) = 4;
  EXPECT_EQ(nearest_centers(x, centers), (std::vector<Index>{1, 1, 0}));
}

TEST(KMeans, NearTiesAreDecidedByDifferences) {
  // Far from the origin, products lose the digits in which the two distances differ.
  Array2<double> centers(3, 2), x(2, 2);
  centers(0, 0) = 1e8;
  centers(1, 0) = 1e8 + 2;
  centers(2, 0) = -3e8;
  x(0, 0) = 1e8 + 1 - 0x1p-20;
  x(1, 0) = 1e8 + 1 + 0x1p-20;
  EXPECT_EQ(nearest_centers(x, centers), (std::vector<Index>{0, 1}));
}

TEST(KMeans, ALabelDoesNotDependOnOtherPoints) {
  const Array2<double> x = normal_matrix(400, 6, 12);
  const KMeans found = kmeans(x, {.n_clusters = 7});
  EXPECT_EQ(nearest_centers(x, found.centers), found.labels);
  for (const Index i : {0, 17, 399})
    EXPECT_EQ(nearest_centers(PointsView(x).slice(i, 1), found.centers)[0], found.labels[static_cast<std::size_t>(i)]);
}

TEST(KMeans, PointsBeyondTheRangeOfTheCenters) {
  Array2<double> centers(2, 1), x(2, 1);
  centers(0, 0) = -1e-200;
  centers(1, 0) = 1e-200;
  x(0, 0) = 1e300;
  x(1, 0) = -1e-200;
  const std::vector<Index> labels = nearest_centers(x, centers);
  EXPECT_TRUE(labels[0] == 0 || labels[0] == 1);
  EXPECT_EQ(labels[1], 0);
}

TEST(KMeans, StopsAtMaxIter) {
  const KMeans found = kmeans(normal_matrix(500, 4, 1), {.n_clusters = 20, .n_init = 1, .max_iter = 2, .tol = 0});
  EXPECT_EQ(found.iterations, 2);
  EXPECT_FALSE(found.converged);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "not-converged");
}

TEST(KMeans, RefusesWhatDoesNotFit) {
  const Array2<double> x = normal_matrix(5, 2, 1);
  expect_error(ErrorKind::InvalidOption, "n_clusters=6 must be at most the number of points, 5",
               [&] { kmeans(x, {.n_clusters = 6}); });
  expect_error(ErrorKind::InvalidData, "the start has 3 features, the points have 2",
               [&] { kmeans(x, Array2<double>(2, 3)); });
  expect_error(ErrorKind::InvalidData, "give one in their units", [&] { kmeans(x, mapped(x, 1e300, 0)); });
  expect_error(ErrorKind::InvalidData, "the points have 2 features, the centers 3",
               [&] { nearest_centers(x, Array2<double>(2, 3)); });
}

}  // namespace
}  // namespace unroll
