#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace unroll {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers published with the Random123 library.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, SeedPurposeAndIndexAllMatter) {
  const Random a(0, "a");
  EXPECT_EQ(a.bits(7), Random(0, "a").bits(7));
  EXPECT_NE(a.bits(7), Random(1, "a").bits(7));
  EXPECT_NE(a.bits(7), Random(0, "b").bits(7));
  EXPECT_NE(a.bits(7), a.bits(8));
  EXPECT_NE(a.bits(7, 0), a.bits(7, 1));
}

// Means of m samples lie within 5 standard errors: a wrong generator fails, a right one fails once in 10^6.
TEST(Random, MomentsAreThoseOfTheDistribution) {
  const Random random(3, "moments");
  constexpr int kSamples = 200000;
  double uniform = 0, normal = 0, square = 0, fourth = 0;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    const double u = random.uniform(i), z = random.normal(i, 1);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    uniform += u / kSamples;
    normal += z / kSamples;
    square += z * z / kSamples;
    fourth += z * z * z * z / kSamples;
  }
  const double error = 5 / std::sqrt(double{kSamples});
  EXPECT_NEAR(uniform, 0.5, error * std::sqrt(1.0 / 12));
  EXPECT_NEAR(normal, 0, error);
  EXPECT_NEAR(square, 1, error * std::sqrt(2.0));
  EXPECT_NEAR(fourth, 3, error * std::sqrt(96.0));
}

TEST(Random, BelowIsUniform) {
  const Random random(1, "below");
  std::array<int, 7> counts{};
  constexpr int kSamples = 70000;
  for (std::uint64_t i = 0; i < kSamples; ++i) ++counts.at(random.below(7, i));
  for (const int count : counts) EXPECT_NEAR(count, kSamples / 7.0, 5 * std::sqrt(kSamples / 7.0));
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  const auto order = Random(0, "order").permutation(1000);
  EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), 1000U);
  EXPECT_EQ(*std::max_element(order.begin(), order.end()), 999);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(Random, SampleIsSortedAndWithoutRepeats) {
  const Random random(0, "sample");
  const auto some = random.sample(1'000'000'000'000, 100);
  EXPECT_EQ(std::set<Index>(some.begin(), some.end()).size(), 100U);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(random.sample(5, 5), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(random.sample(5, 0).empty());
}

// Each of the 10 pairs out of 5 is equally likely.
TEST(Random, SampleIsUniformOverSubsets) {
  std::map<std::vector<Index>, int> counts;
  constexpr int kSeeds = 20000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) ++counts[Random(seed, "pairs").sample(5, 2)];
  ASSERT_EQ(counts.size(), 10U);
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, kSeeds / 10.0, 5 * std::sqrt(kSeeds / 10.0));
}

}  // namespace
}  // namespace unroll
