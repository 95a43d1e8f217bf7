#include "report/plot_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"

namespace unroll {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();

std::vector<double> normal_numbers(Index n) {
  const Random random(1, "plot_range_test");
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) values.push_back(random.normal(static_cast<std::uint64_t>(i)));
  return values;
}

TEST(PlotRange, IsThatOfAllValues) {
  std::vector<double> values = normal_numbers(10'000);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const PlotRange range = range_of(values, false);
  EXPECT_EQ(range.low, *low);
  EXPECT_EQ(range.high, *high);
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(range_of(values, false).high, *high);
}

TEST(PlotRange, LeavesOutFewOutliers) {
  std::vector<double> values = normal_numbers(1000);
  values[17] = 1e6;
  const PlotRange bulk = range_of(values, false), all = range_of(values, true);
  EXPECT_EQ(all.high, 1e6);
  EXPECT_LT(bulk.high, 5);
  EXPECT_GT(bulk.high, 2);
  EXPECT_LT(bulk.low, -2);
  Index outside = 0;
  for (const double value : values) outside += bulk.contains(value) ? 0 : 1;
  EXPECT_LE(outside, 20);  // 1 % on either side
}

TEST(PlotRange, HasNoOutliersAmongFewValues) {
  std::vector<double> values = normal_numbers(19);
  values[3] = 1e6;
  EXPECT_EQ(range_of(values, false).high, 1e6);
  values.push_back(0);
  EXPECT_LT(range_of(values, false).high, 10);
}

TEST(PlotRange, OfEqualValuesButOneIsWhole) {
  std::vector<double> values(500, 2.0);
  values[9] = 5;
  EXPECT_EQ(range_of(values, false).high, 5);
  const PlotRange constant = with_margin(range_of(std::vector<double>(9, -2.0), false));
  EXPECT_LT(constant.low, -2);
  EXPECT_GT(constant.high, -2);
}

TEST(PlotRange, OfTheLargestNumbersIsFinite) {
  const PlotRange range = with_margin({-kHuge, kHuge});
  EXPECT_EQ(range.share(-kHuge), 0);
  EXPECT_EQ(range.share(0), 0.5);
  EXPECT_EQ(range.share(kHuge), 1);
}

TEST(PlotTicks, AreRound) {
  const PlotTicks ticks = ticks_of({-1.3, 2.7}, 6);
  EXPECT_EQ(ticks.texts, (std::vector<std::string>{"-1", "0", "1", "2"}));
  EXPECT_EQ(ticks_of({0, 1}, 5).texts, (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(ticks_of({0, 4e7}, 4).texts, (std::vector<std::string>{"0", "1e+07", "2e+07", "3e+07", "4e+07"}));
}

TEST(PlotTicks, TellNumbersApart) {
  for (const double offset : {0.0, 1e3, 1e8, -1e10}) {
    const PlotTicks ticks = ticks_of({offset, offset + 0.7}, 6);
    ASSERT_GE(ticks.at.size(), 3U) << offset;
    for (std::size_t i = 0; i + 1 < ticks.at.size(); ++i) EXPECT_NE(ticks.texts[i], ticks.texts[i + 1]) << offset;
  }
}

TEST(PlotTicks, AreFewWhateverTheRange) {
  for (const PlotRange& range : {PlotRange{-kHuge, kHuge}, PlotRange{0, 5e-324}, PlotRange{1e16, 1e16 + 2},
                                 PlotRange{1e-310, 1e-300}, PlotRange{-1e300, 1e299}, PlotRange{3, 3}}) {
    const PlotTicks ticks = ticks_of(range, 6);
    EXPECT_LE(ticks.at.size(), 14U);
    EXPECT_EQ(ticks.at.size(), ticks.texts.size());
    for (const double place : ticks.at) EXPECT_TRUE(std::isfinite(place));
  }
}

}  // namespace
}  // namespace unroll
