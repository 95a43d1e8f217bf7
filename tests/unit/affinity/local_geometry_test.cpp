// Inner products within a neighbourhood: from coordinates, from distances, at extreme units and offsets.
#include "affinity/local_geometry.h"

#include <gtest/gtest.h>

#include "support/distances.h"
#include "support/expect_error.h"
#include "support/matrices.h"

namespace unroll {
namespace {

const std::vector<Index> kMembers{3, 7, 1, 9, 12};

/// (x_j - c) . (x_k - c), plainly.
Array2<double> plain_gram(const Array2<double>& x, const std::vector<double>& center) {
  Array2<double> gram(5, 5);
  for (Index a = 0; a < 5; ++a)
    for (Index b = 0; b < 5; ++b)
      for (Index f = 0; f < x.cols(); ++f)
        gram(a, b) += (x(kMembers[static_cast<std::size_t>(a)], f) - center[static_cast<std::size_t>(f)]) *
                      (x(kMembers[static_cast<std::size_t>(b)], f) - center[static_cast<std::size_t>(f)]);
  return gram;
}

std::vector<double> row_of(const Array2<double>& x, Index i) { return {x.row(i), x.row(i) + x.cols()}; }

std::vector<double> mean_of_members(const Array2<double>& x) {
  std::vector<double> mean(static_cast<std::size_t>(x.cols()));
  for (const Index member : kMembers)
    for (Index f = 0; f < x.cols(); ++f) mean[static_cast<std::size_t>(f)] += x(member, f) / 5;
  return mean;
}

Array2<double> in_units_of(const LocalGeometry& geometry, Array2<double> gram) {
  for (Index i = 0; i < gram.size(); ++i) gram.data()[i] *= geometry.scale() * geometry.scale();
  return gram;
}

SparseMatrix all_entries(const Array2<double>& d) {
  SparseMatrix a{.rows = d.rows(), .cols = d.cols()};
  for (Index i = 0; i < d.rows(); ++i) {
    for (Index j = 0; j < d.cols(); ++j)
      if (i != j) a.columns.push_back(j), a.values.push_back(d(i, j));
    a.offsets.push_back(std::ssize(a.columns));
  }
  return a;
}

TEST(LocalGeometry, CoordinatesAndDistancesGiveTheSameProducts) {
  const Array2<double> x = normal_matrix(20, 4, 1), d = distances_between(x);
  const SparseMatrix sparse = all_entries(d);
  const LocalGeometry points(x, {}, {}), dense(d, {.metric = Metric::Precomputed}, {}), entries(sparse),
      power(x, {.metric = Metric::Minkowski, .p = 2}, {});
  EXPECT_TRUE(points.has_coordinates());
  GeometryScratch scratch;
  for (const LocalGeometry* geometry : {&points, &dense, &entries, &power}) {
    Array2<double> gram;
    geometry->gram_about(5, kMembers, gram, scratch);
    EXPECT_LT(relative_difference(gram, in_units_of(*geometry, plain_gram(x, row_of(x, 5)))), 1e-13);
    geometry->gram_about_mean(kMembers, gram, scratch);
    EXPECT_LT(relative_difference(gram, in_units_of(*geometry, plain_gram(x, mean_of_members(x)))), 1e-13);
  }
}

TEST(LocalGeometry, NewPointsHaveTheProductsOfTheirOwn) {
  const Array2<double> x = normal_matrix(20, 4, 1), fresh = normal_matrix(3, 4, 2);
  std::vector<double> distances;
  for (const Index member : kMembers) {
    double sum = 0;
    for (Index f = 0; f < 4; ++f) sum += (fresh(1, f) - x(member, f)) * (fresh(1, f) - x(member, f));
    distances.push_back(std::sqrt(sum));
  }
  const std::vector<double> mean = mean_of_members(x);
  const Array2<double> d = distances_between(x);
  const LocalGeometry points(x, {}, {}), dense(d, {.metric = Metric::Precomputed}, {});
  GeometryScratch scratch;
  for (const LocalGeometry* geometry : {&points, &dense}) {
    Array2<double> gram;
    std::vector<double> products;
    geometry->gram_about_new(fresh, 1, kMembers, distances, gram, scratch);
    EXPECT_LT(relative_difference(gram, in_units_of(*geometry, plain_gram(x, row_of(fresh, 1)))), 1e-13);
    geometry->products_from(5, fresh, 1, kMembers, distances, products, scratch);
    for (std::size_t a = 0; a < 5; ++a) {
      double expected = 0;
      for (std::size_t f = 0; f < 4; ++f) {
        const auto column = static_cast<Index>(f);
        expected += (fresh(1, column) - x(5, column)) * (x(kMembers[a], column) - mean[f]);
      }
      EXPECT_NEAR(products[a], expected * geometry->scale() * geometry->scale(), 1e-13);
    }
  }
}

TEST(LocalGeometry, NeitherUnitsNorOffsetsCostDigits) {
  const Array2<double> x = normal_matrix(20, 3, 4);
  GeometryScratch scratch;
  Array2<double> expected, gram;
  LocalGeometry(x, {}, {}).gram_about(5, kMembers, expected, scratch);
  for (const double unit : {0x1p990, 0x1p-990}) {
    Array2<double> scaled = x;
    for (Index i = 0; i < x.size(); ++i) scaled.data()[i] *= unit;
    LocalGeometry(scaled, {}, {}).gram_about(5, kMembers, gram, scratch);
    EXPECT_EQ(gram, expected) << unit;
  }
  Array2<double> near = x, far = x;
  for (Index i = 0; i < x.size(); ++i) near.data()[i] = (far.data()[i] += 0x1p27) - 0x1p27;
  const LocalGeometry here(near, {}, {}), there(far, {}, {});
  here.gram_about_mean(kMembers, expected, scratch);
  there.gram_about_mean(kMembers, gram, scratch);
  for (Index i = 0; i < gram.size(); ++i) gram.data()[i] *= std::pow(here.scale() / there.scale(), 2);
  EXPECT_LT(relative_difference(gram, expected), 1e-13);
}

TEST(LocalGeometry, MissingDistancesAreNamed) {
  const SparseMatrix a{.rows = 3, .cols = 3, .offsets = {0, 2, 3, 4}, .columns = {1, 2, 0, 0}, .values = {1, 2, 1, 2}};
  const LocalGeometry geometry(a);
  GeometryScratch scratch;
  Array2<double> gram;
  const std::vector<Index> others{1, 2};
  expect_error(ErrorKind::InvalidData, "rows 3 and 2", [&] { geometry.gram_about(0, others, gram, scratch); });
}

}  // namespace
}  // namespace unroll
