#include "spectral/independence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace unroll {
namespace {

// Coordinates of a long strip: along, twice the frequency along, across; and one that says nothing.
Array2<double> strip(Index n, double constant) {
  const Random random(1, "test");
  Array2<double> y(n, 4);
  for (Index i = 0; i < n; ++i) {
    const double along = random.uniform(static_cast<std::uint64_t>(i), 0);
    y(i, 0) = std::cos(M_PI * along);
    y(i, 1) = std::cos(2 * M_PI * along);
    y(i, 2) = std::cos(M_PI * random.uniform(static_cast<std::uint64_t>(i), 1));
    y(i, 3) = constant;
  }
  return y;
}

TEST(Independence, TellsFunctionsOfEarlierCoordinates) {
  for (const Index n : {400, 3000}) {
    const std::vector<double> told = independence(strip(n, 0), 0, {});
    ASSERT_EQ(told.size(), 4U);
    EXPECT_EQ(told[0], 1);
    EXPECT_LT(told[1], 0.1) << n;
    EXPECT_GT(told[2], 0.9) << n;
    EXPECT_EQ(independent_coordinates(strip(n, 0), 2, 0, {}), (std::vector<Index>{0, 2}));
  }
}

// Whatever the rounding of its mean.
TEST(Independence, AConstantIsAFunctionOfNothing) {
  for (const Index n : {31, 32, 900})
    for (const double constant : {0.0, 1.0, -0.1, 1e9}) EXPECT_EQ(independence(strip(n, constant), 0, {}).back(), 1);
}

TEST(Independence, SameBitsAtAnyThreadCount) {
  const Array2<double> y = strip(1500, 1);
  const std::vector<double> one = independence(y, 0, {.threads = 1});
  for (const int threads : {2, 3, 8}) EXPECT_EQ(independence(y, 0, {.threads = threads}), one);
}

}  // namespace
}  // namespace unroll
