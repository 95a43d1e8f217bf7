#include "unroll/neighbors/correlation_dimension.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/matrices.h"
#include "unroll/data/generators.h"

namespace unroll {
namespace {

/// The definition, from all distances.
double slope_by_hand(const Array2<double>& x, Index low, Index high) {
  std::vector<double> distances;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      double square = 0;
      for (Index f = 0; f < x.cols(); ++f) square += (x(i, f) - x(j, f)) * (x(i, f) - x(j, f));
      distances.push_back(std::sqrt(square));
    }
  std::sort(distances.begin(), distances.end());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int step = 0; step < 32; ++step) {
    const double wanted =
        static_cast<double>(low) * std::pow(static_cast<double>(high) / static_cast<double>(low), step / 31.0);
    const auto count = static_cast<std::size_t>(std::llround(wanted));
    const double r = std::log(distances[count - 1]);
    const double c = std::log(static_cast<double>(count) / static_cast<double>(distances.size()));
    sx += r, sy += c, sxx += r * r, sxy += r * c;
  }
  return (sxy - sx * sy / 32) / (sxx - sx * sx / 32);
}

TEST(CorrelationDimension, IsTheSlopeOfItsDefinition) {
  const Array2<double> x = normal_matrix(400, 3, 1);
  const CorrelationDimension found = correlation_dimension(x);
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.pairs, 79'800);
  EXPECT_NEAR(found.low_share, 79 / 79'800.0, 1e-15);
  EXPECT_NEAR(found.high_share, 798 / 79'800.0, 1e-15);
  EXPECT_NEAR(found.dimension, slope_by_hand(x, 79, 798), 1e-9);
  EXPECT_LT(found.low_radius, found.high_radius);
}

/// On a line of equal steps the number of pairs within r is known: the radii are multiples of the step.
TEST(CorrelationDimension, RadiiAreInTheUnitOfTheData) {
  Array2<double> x(1000, 1);
  for (Index i = 0; i < 1000; ++i) x(i, 0) = 1e200 * static_cast<double>(i);
  const CorrelationDimension found = correlation_dimension(x);
  // 999 pairs at distance 1, 998 at distance 2, ...; the range is from 499 to 4995 pairs.
  EXPECT_NEAR(found.low_radius, 1e200, 1e190);
  EXPECT_NEAR(found.high_radius, 6e200, 1e190);
}

TEST(CorrelationDimension, OfASampleIsThatOfAllPairs) {
  const Array2<double> x = make_dataset("torus", 3000).points;
  const CorrelationDimension found = correlation_dimension(x);
  EXPECT_FALSE(found.exact);
  EXPECT_EQ(found.pairs, 1'000'000);
  // Of 1000 to 10000 sampled pairs, log C has an error of 0.03 to 0.01; over a range of log r of 1.2 that is 0.03.
  constexpr double all = 3000.0 * 2999 / 2;  // pairs
  EXPECT_NEAR(found.dimension, slope_by_hand(x, std::llround(all / 1000), std::llround(all / 100)), 5 * 0.03);
}

TEST(CorrelationDimension, DoesNotDependOnThreads) {
  const Array2<double> x = normal_matrix(3000, 4, 2);
  const CorrelationDimension one = correlation_dimension(x, {}, {.threads = 1});
  for (const int threads : {2, 5}) {
    const CorrelationDimension more = correlation_dimension(x, {}, {.threads = threads});
    EXPECT_EQ(more.dimension, one.dimension);
    EXPECT_EQ(more.high_radius, one.high_radius);
  }
}

TEST(CorrelationDimension, CountsDuplicatesButDoesNotBeginThere) {
  Array2<double> x = normal_matrix(400, 2, 3);
  for (Index i = 0; i < 50; ++i)
    for (Index f = 0; f < 2; ++f) x(2 * i, f) = x(2 * i + 1, f);
  const CorrelationDimension found = correlation_dimension(x);
  EXPECT_GT(found.low_radius, 0);
  EXPECT_NEAR(found.dimension, 2, 0.3);
}

TEST(CorrelationDimension, IsZeroWhereThereIsNone) {
  EXPECT_EQ(correlation_dimension(Array2<double>(50, 2)).dimension, 0);    // identical points
  EXPECT_EQ(correlation_dimension(normal_matrix(15, 2, 1)).dimension, 0);  // 105 pairs
  Array2<double> corners(40, 40);                                          // a simplex: all distances are equal
  for (Index i = 0; i < 40; ++i) corners(i, i) = 1;
  EXPECT_EQ(correlation_dimension(corners).dimension, 0);
}

}  // namespace
}  // namespace unroll
