#include "report/page_points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/page_text.h"
#include "support/made_up_page.h"
#include "unroll/report/page.h"

namespace unroll {
namespace {

TEST(PagePoints, NameAllThatIsKnown) {
  Comparison comparison = made_up_spirals(3, 1);
  Array2<double>& map = comparison.methods[0].coordinates;
  map(0, 0) = -1, map(0, 1) = 10;
  map(1, 0) = 3, map(1, 1) = 10;
  map(2, 0) = 1, map(2, 1) = 11;
  comparison.methods[0].options = {{"n_neighbors", std::int64_t{7}}, {"solver", {}}};
  comparison.methods[0].eigenvalues = {0.5, 0.25, 0.125};
  const PagePoints points = page_points(comparison, {});
  const std::string xy = base64(std::vector<float>{-1, -0.25, 1, -0.25, 0, 0.25});
  EXPECT_EQ(count_of(points.json, "\"maps\":[{\"at\":\"" + xy + R"(","center":[1.0,10.5],"half":2.0,)"), 1U)
      << points.json;
  EXPECT_EQ(count_of(points.json, R"("count":3,"rows":null,"names":null,"original":null,"features":null)"), 1U);
  EXPECT_EQ(count_of(points.json, R"("colorings":[{"name":"method_0 0","low":-1.0,"high":3.0,)"), 1U)
      << "the first map's, for want of truth: " << points.json;
  EXPECT_EQ(count_of(points.json, R"("options":{"n_neighbors":7,"solver":null},"eigenvalues":[0.5,0.25,0.125])"), 1U);
  EXPECT_EQ(count_of(points.json, R"("figures":[{"name":"seconds","title":"seconds","meaning":"time of the fit",)"),
            1U);
  EXPECT_EQ(count_of(points.json, R"("curves":null)"), 1U);
}

TEST(PagePoints, MeasuresOfEachPointHaveOneScaleForAllMaps) {
  Comparison comparison = made_up_spirals(3, 3);
  comparison.methods[0].quality->trustworthiness.per_point = {0, 0.5, 1};
  comparison.methods[2].quality->trustworthiness.per_point = {1, 1, 0.25};
  const std::string first = base64(std::vector<std::uint8_t>{0, 127, 254});
  const std::string third = base64(std::vector<std::uint8_t>{254, 254, 64});
  const std::string expected = fmt::format(
      R"("qualities":[{{"name":"trustworthiness of each point","low":0.0,"high":1.0,"at":["{}",null,"{}"]}}])", first,
      third);
  EXPECT_EQ(count_of(page_points(comparison, {}).json, expected), 1U) << page_points(comparison, {}).json;
}

TEST(PagePoints, FeaturesColorAndShowImages) {
  Array2<double> points(3, 4);
  for (Index i = 0; i < 12; ++i) points(i / 4, i % 4) = static_cast<double>(i);
  const Comparison comparison = made_up_spirals(3, 1);
  const std::string codes = base64(std::vector<std::uint8_t>{0, 0, 0, 0, 128, 128, 128, 128, 255, 255, 255, 255});
  const std::string json = page_points(comparison, {.points = points, .image_rows = 2}).json;
  EXPECT_EQ(count_of(json, R"("features":{"columns":4,"names":null,"low":[0.0,1.0,2.0,3.0],"high":[8.0,9.0,10.0,11.0],)"
                           R"("at":")" +
                               codes + R"(","image":[2,2]})"),
            1U)
      << json;
  const Array2<double> wide(3, 65);
  EXPECT_EQ(count_of(page_points(comparison, {.points = wide}).json, R"("features":null)"), 1U) << "too many to choose";
}

TEST(PagePoints, OfManyASampleIsDrawn) {
  const Comparison comparison = made_up_spirals(100, 1);
  std::vector<std::string> names;
  names.reserve(100);
  for (int i = 0; i < 100; ++i) names.push_back(fmt::format("row {}", i));
  const PagePoints points = page_points(comparison, {.row_names = names, .max_drawn = 10});
  EXPECT_EQ(points.rows.size(), 10U);
  EXPECT_TRUE(std::is_sorted(points.rows.begin(), points.rows.end()));
  EXPECT_EQ(count_of(points.json, fmt::format("\"rows\":[{},", points.rows[0])), 1U);
  EXPECT_EQ(count_of(points.json, fmt::format("\"names\":[\"row {}\",", points.rows[0])), 1U);
  EXPECT_EQ(count_of(comparison_page(comparison, {.max_drawn = 10}), "; 10 points, chosen at random, are drawn<"), 1U);
}

TEST(PagePoints, LabelsAreInOrderAndTheRarestShareASign) {
  const Comparison comparison = made_up_spirals(4, 1);
  const PagePoints points = page_points(comparison, {.labels = {"10", "b", "9", "9"}});
  const std::string codes = base64(std::vector<std::uint8_t>{1, 2, 0, 0});
  EXPECT_EQ(count_of(points.json, R"({"name":"label","labels":["9","10","b"],"at":")" + codes + '"'), 1U)
      << points.json;

  const Comparison many = made_up_spirals(101, 1);
  std::vector<std::string> labels;
  labels.reserve(101);
  for (int i = 0; i < 100; ++i) labels.push_back(fmt::format("{}", i / 2));
  labels.emplace_back("49");  // the only one of three points
  const std::string json = page_points(many, {.labels = labels}).json;
  EXPECT_EQ(count_of(json, R"json("37","49","(all others)"])json"), 1U) << json;

  // A label of that name is another thing.
  std::replace(labels.begin(), labels.end(), std::string("49"), std::string("(all others)"));
  const std::string other = page_points(many, {.labels = labels}).json;
  EXPECT_EQ(count_of(other, R"json("37","(all others)","((all others))"])json"), 1U) << other;
}

TEST(PagePoints, WhatIsNotKnownHasACodeOfItsOwn) {
  const Comparison comparison = made_up_spirals(3, 1);
  const std::string labels = page_points(comparison, {.labels = {"b", "", "a"}}).json;
  EXPECT_EQ(count_of(labels, R"("labels":["a","b"],"at":")" + base64(std::vector<std::uint8_t>{1, 255, 0}) + '"'), 1U)
      << labels;
  const std::string numbers = page_points(comparison, {.numbers = {std::nan(""), 4, 2}, .label_name = "age"}).json;
  EXPECT_EQ(count_of(numbers, R"({"name":"age","low":2.0,"high":4.0,)"), 1U) << numbers;
}

TEST(PagePoints, ClustersAreDrawnOnTheMapThatKeepsNeighborhoodsBest) {
  Comparison comparison = made_up_spirals(20, 3);
  ComparedMethod clustering{.name = "parts", .label = "parts", .title = "Parts", .coordinates = Array2<double>(20, 8)};
  clustering.clusters.assign(20, 1);
  comparison.methods.push_back(clustering);
  const PagePoints points = page_points(comparison, {.labels = repeated("a", 20)});
  ASSERT_TRUE(points.panels[3]);
  EXPECT_EQ(points.panels[3]->map, 2U);
  EXPECT_EQ(points.panels[3]->coloring, 1U);
  EXPECT_FALSE(points.panels[0]->coloring);
  EXPECT_EQ(count_of(comparison_page(comparison, {}), "clusters, on the map of method_2"), 1U);

  for (auto& method : comparison.methods) method.quality.reset();
  EXPECT_EQ(page_points(comparison, {}).panels[3]->map, 3U) << "where there is no map, on their own coordinates";
}

}  // namespace
}  // namespace unroll
