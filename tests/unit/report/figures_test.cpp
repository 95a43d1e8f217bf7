#include "unroll/report/figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace unroll {
namespace {

std::vector<std::size_t> best_of(const Figure& figure) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < figure.values.size(); ++i)
    if (figure.is_best(i)) best.push_back(i);
  return best;
}

using Places = std::vector<std::size_t>;

TEST(Figures, BestIsWhatOthersAreWorseThan) {
  Figure figure{.values = {0.5, 0.9, std::nullopt, 0.7}, .uncertainty = {0, 0, 0, 0}};
  EXPECT_EQ(best_of(figure), Places{1});
  figure.more_is_better = false;
  EXPECT_EQ(best_of(figure), Places{0});
  figure.can_be_best = false;
  EXPECT_EQ(best_of(figure), Places{});
}

TEST(Figures, BestNeedsADifferenceAboveTheUncertainty) {
  EXPECT_EQ(best_of({.values = {0.9}, .uncertainty = {0}}), Places{}) << "of one";
  EXPECT_EQ(best_of({.values = {0.9, std::nullopt}, .uncertainty = {0, 0}}), Places{});
  EXPECT_EQ(best_of({.values = {0.9, 0.9}, .uncertainty = {0, 0}}), Places{}) << "equal";
  EXPECT_EQ(best_of({.values = {0.90, 0.89}, .uncertainty = {0.01, 0.01}}), Places{}) << "both are within 0.014";
  EXPECT_EQ(best_of({.values = {0.90, 0.88}, .uncertainty = {0.01, 0.01}}), Places{0});
  EXPECT_EQ(best_of({.values = {0.90, 0.89, 0.5}, .uncertainty = {0.01, 0.01, 0.01}}), (Places{0, 1}))
      << "two that cannot be told apart, and one that is worse";
}

TEST(Figures, WhatIsHardlyAboveChanceIsNotBest) {
  EXPECT_EQ(best_of({.values = {0.60, 0.51}, .uncertainty = {0, 0}, .random = 0.5}), Places{});
  EXPECT_EQ(best_of({.values = {0.63, 0.51}, .uncertainty = {0, 0}, .random = 0.5}), Places{0});
  EXPECT_EQ(best_of({.values = {0.2, 0.01}, .uncertainty = {0, 0}, .random = 0}), Places{});
}

TEST(Figures, ThatAreNotZeroAreNotShownAsZero) {
  const Figure figure{.decimals = 3};
  const std::vector<std::pair<std::optional<double>, std::string>> expected{
      {0.0, "0.000"}, {0.0004, "<0.001"}, {0.0006, "0.001"}, {-0.0004, "-0.000"}, {1.5, "1.500"}, {std::nullopt, ""}};
  for (const auto& [value, text] : expected) EXPECT_EQ(figure.text(value), text);
}

/// Methods whose maps have these values at every second point, and those at the others.
Comparison made_up(const std::vector<std::pair<double, double>>& kept, Index n = 100) {
  Comparison comparison{.n_points = n, .n_neighbors = 5, .measured_points = n, .planned = std::ssize(kept)};
  for (const auto& [even, odd] : kept) {
    NeighborhoodMeasure measure{.value = (even + odd) / 2, .sample = n};
    for (Index i = 0; i < n; ++i) measure.per_point.push_back(i % 2 == 0 ? even : odd);
    measure.low = measure.high = measure.value;
    Quality quality;
    quality.trustworthiness = quality.continuity = measure;
    const std::string name(1, static_cast<char>('a' + std::ssize(comparison.methods)));
    comparison.methods.push_back({.name = name, .label = name, .title = name, .coordinates = Array2<double>(n, 2)});
    comparison.methods.back().quality = quality;
  }
  Quality random;
  random.trustworthiness = random.continuity = {.value = 0.5, .low = 0.49, .high = 0.51, .sample = n / 2};
  comparison.random = random;
  return comparison;
}

std::string first_words(const Comparison& comparison) { return verdict(comparison).front(); }

TEST(Figures, UncertaintyIsThatOfTheMeanOverThePoints) {
  const std::vector<Figure> all = figures(made_up({{0.8, 1.0}, {0.9, 0.9}}));
  const auto trust = std::find_if(all.begin(), all.end(), [](const Figure& f) { return f.name == "trustworthiness"; });
  ASSERT_NE(trust, all.end());
  EXPECT_NEAR(trust->uncertainty[0], 1.96 * 0.1 / 10, 1e-4);
  EXPECT_NEAR(trust->uncertainty[1], 0, 1e-12);
  EXPECT_EQ(trust->random, 0.5);
  EXPECT_FALSE(all.front().can_be_best) << "seconds";
}

TEST(Figures, UncertaintyOfASampleIsThatOfMorePointsOfItsKind) {
  Comparison comparison = made_up({{0.9, 0.9}});
  NeighborhoodMeasure& trust = comparison.methods[0].quality->trustworthiness;
  trust = {.value = 0.9, .low = 0.88, .high = 0.92, .sample = 75};  // a quarter is left: 1 - 75 / 100
  EXPECT_NEAR(figures(comparison)[1].uncertainty[0], 0.02 / std::sqrt(0.25), 1e-12);
}

TEST(Verdict, NamesTheBestAndItsMargins) {
  EXPECT_EQ(first_words(made_up({{0.8, 0.8}, {0.95, 0.95}, {0.9, 0.9}})),
            "b keeps neighborhoods best, with trust 0.9500 and continuity 0.9500: their mean is 0.05 above c and 0.45 "
            "above a random map.");
  EXPECT_EQ(first_words(made_up({{0.8, 0.8}})),
            "a keeps neighborhoods with trust 0.8000 and continuity 0.8000: their mean is 0.30 above a random map.");
}

TEST(Verdict, DoesNotTellApartWhatIsAlike) {
  EXPECT_EQ(first_words(made_up({{0.8, 1.0}, {0.802, 1.0}, {0.6, 0.6}})),
            "b and a keep neighborhoods best and about alike, b with trust 0.9010 and continuity 0.9010: their mean is "
            "0.3 above c and 0.40 above a random map.");
  EXPECT_EQ(
      first_words(made_up({{0.8, 1.0}, {0.802, 1.0}})),
      "No map keeps neighborhoods clearly better than the others; b has trust 0.9010 and continuity 0.9010: their "
      "mean is 0.40 above a random map.");
}

TEST(Verdict, SaysWhatIsNotToBeTrusted) {
  Comparison comparison = made_up({{0.9, 0.9}, {0.4, 0.6}, {0.8, 0.8}, {0.8, 0.8}, {0.8, 0.8}});
  comparison.methods[2].warnings = {{"graph-disconnected", "", ""}, {"graph-disconnected", "again", ""}};
  comparison.methods[0].warnings = {{"graph-disconnected", "", ""}};
  for (const std::size_t i : {3U, 4U}) {
    comparison.methods[i].error =
        Error(ErrorKind::OutOfMemory, {.who = comparison.methods[i].name, .problem = "no room"});
    comparison.methods[i].quality.reset();
  }
  const std::vector<std::string> words = verdict(comparison);
  ASSERT_EQ(words.size(), 4U);
  EXPECT_EQ(words[1], "Not to be trusted: b, which keeps neighborhoods no better than a random map.");
  EXPECT_EQ(words[2], "To be read with care, for their warnings: a and c (graph-disconnected).");
  EXPECT_EQ(words[3], "d and e failed: no room.");
}

TEST(Verdict, TellsWhoKeepsLabelsAndTruth) {
  Comparison comparison = made_up({{0.9, 0.9}, {0.8, 0.8}});
  comparison.methods[0].quality->labels = {.accuracy = 0.5, .accuracy_high = 0.97};
  comparison.methods[1].quality->labels = {.accuracy = 0.9, .accuracy_high = 0.97};
  comparison.random->labels = {.accuracy = 0.1, .accuracy_high = 0.97};
  for (std::size_t i = 0; i < 2; ++i) {
    comparison.methods[i].quality->truth.emplace();
    comparison.methods[i].quality->truth->distance_correlation.pearson = {.value = i == 0 ? 0.99 : 0.2};
  }
  const std::vector<std::string> words = verdict(comparison);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[1],
            "b keeps labels together best: the share of points with the label of most of their neighbors is 0.9000, in "
            "the data themselves 0.9700, in a random map 0.1000.");
  EXPECT_EQ(words[2], "a keeps the true distances best: their correlation is 0.9900.");
}

TEST(Verdict, OfClustersAloneIsSilent) {
  Comparison comparison{.n_points = 10, .planned = 1};
  comparison.methods.push_back({.name = "parts", .label = "parts", .clusters = std::vector<std::int64_t>(10)});
  EXPECT_TRUE(verdict(comparison).empty());
}

TEST(WorthlessMaps, KeepLessThanAQuarterOfWhatThereIsAboveChance) {
  EXPECT_EQ(worthless_maps(made_up({{0.9, 0.9}, {0.5, 0.5}, {0.6, 0.64}, {0.62, 0.64}})),
            (std::vector<bool>{false, true, true, false}));
  Comparison unknown = made_up({{0.5, 0.5}});
  unknown.random.reset();
  EXPECT_EQ(worthless_maps(unknown), std::vector<bool>{false});
}

}  // namespace
}  // namespace unroll
