#include "unroll/report/plot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "core/random.h"
#include "report/page_text.h"
#include "report/plot_scene.h"
#include "support/expect_error.h"
#include "support/scratch_folder.h"

namespace unroll {
namespace {

Array2<double> cloud(Index n, Index cols = 2) {
  const Random random(0, "plot_test");
  Array2<double> map(n, cols);
  for (Index i = 0; i < map.size(); ++i) map.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return map;
}

TEST(Plot, DrawsEveryPointOnce) {
  for (const Index n : {1, 2, 3, 5, 8, 13, 100, 1597, 1600}) {
    const Array2<double> map = cloud(n);
    std::vector<std::string> labels;
    for (Index i = 0; i < n; ++i) labels.push_back(i % 7 == 0 ? "" : fmt::format("{}", i % 3));
    const PlotScene drawn = plot_scene({.map = map, .labels = labels}, {.all = true});
    ASSERT_EQ(std::ssize(drawn.scene.points.dots), n);
    std::vector<std::pair<float, float>> places;
    for (const SceneDot& dot : drawn.scene.points.dots) places.emplace_back(dot.x, dot.y);
    std::sort(places.begin(), places.end());
    EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
  }
}

TEST(Plot, DrawsASample) {
  const Array2<double> map = cloud(1000);
  const PlotScene drawn = plot_scene({.map = map}, {.all = true, .max_drawn = 100});
  EXPECT_EQ(drawn.scene.points.dots.size(), 100U);
  EXPECT_EQ(drawn.notes, std::vector<std::string>{"100 of them drawn"});
}

/// A class at the end of the file does not lie over all others.
TEST(Plot, MixesClasses) {
  const Array2<double> map = cloud(1000);
  std::vector<std::string> labels(1000, "a");
  std::fill(labels.begin() + 500, labels.end(), "b");
  const auto& dots = plot_scene({.map = map, .labels = labels}, {.all = true}).scene.points.dots;
  Index changes = 0;
  for (std::size_t i = 1; i < dots.size(); ++i) changes += dots[i].color != dots[i - 1].color ? 1 : 0;
  EXPECT_GT(changes, 400);
}

TEST(Plot, OfFloatsIsThatOfDoubles) {
  Array2<float> floats(200, 2);
  Array2<double> doubles(200, 2);
  const Array2<double> map = cloud(200);
  for (Index i = 0; i < map.size(); ++i)
    doubles.data()[i] = static_cast<double>(floats.data()[i] = static_cast<float>(map.data()[i]));
  for (const PlotFormat format : {PlotFormat::Png, PlotFormat::Svg})
    EXPECT_EQ(plot({.map = floats}, format).content, plot({.map = doubles}, format).content);
}

TEST(Plot, LetsThroughWhereManyPointsLie) {
  const auto opacity = [](Index n) {
    const Array2<double> map = cloud(n);
    return plot_scene({.map = map}, {}).scene.points.opacity;
  };
  EXPECT_GT(opacity(100), 0.8);
  EXPECT_GT(opacity(2000), opacity(20'000));
  EXPECT_GT(opacity(20'000), opacity(200'000));
}

TEST(Plot, ScalesWithTheSize) {
  const Array2<double> map = cloud(100);
  const PlotScene one = plot_scene({.map = map}, {.width = 800, .height = 600});
  const PlotScene two = plot_scene({.map = map}, {.width = 1600, .height = 1200});
  ASSERT_EQ(one.scene.texts.size(), two.scene.texts.size());
  for (std::size_t i = 0; i < one.scene.texts.size(); ++i) {
    EXPECT_NEAR(two.scene.texts[i].x, 2 * one.scene.texts[i].x, 1e-6);
    EXPECT_NEAR(two.scene.texts[i].size, 2 * one.scene.texts[i].size, 1e-6);
  }
  EXPECT_NEAR(two.scene.points.radius, 2 * one.scene.points.radius, 1e-6);
}

TEST(Plot, RefusesWhatDoesNotFit) {
  const Array2<double> map = cloud(30, 3);
  const std::vector<std::string> words(29, "a");
  const auto draw = [&](const PlotSubject& subject, const PlotOptions& options = {}) {
    return [=] { plot(subject, PlotFormat::Svg, options); };
  };
  expect_error(ErrorKind::InvalidData, "plot: the map has 30 rows, but there are 29 labels; give one per row",
               draw({.map = map, .labels = words}));
  expect_error(ErrorKind::InvalidData, "there are 29 names", draw({.map = map, .point_names = words}));
  expect_error(ErrorKind::InvalidData, "the map has 3 columns, but there are 29 names of axes",
               draw({.map = map, .axis_names = words}));
  expect_error(ErrorKind::InvalidData, "there are 2 numbers", draw({.map = map, .numbers = {1, 2}}));
  std::vector<double> numbers(30, 1);
  numbers[4] = std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::InvalidData, "a number is infinite", draw({.map = map, .numbers = numbers}));
  expect_error(ErrorKind::InvalidOption, "axes=0,3: the map has no coordinate 3; it has 0 to 2, counted from 0",
               draw({.map = map}, {.axes = {0, 3}}));
  expect_error(ErrorKind::InvalidOption, "width", draw({.map = map}, {.width = 5}));
  expect_error(ErrorKind::InvalidData, "plot: ", draw({}));
  expect_error(ErrorKind::InvalidOption, "'x.gif' does not name a picture; give it the suffix .png or .svg",
               [] { plot_format("x.gif"); });
}

TEST(Plot, OfSuffixHtmlIsAPage) {
  const Array2<double> map = cloud(40, 3);
  const std::vector<std::string> labels(40, "one <kind>");
  const Plot page = plot({.map = map, .labels = labels, .label_name = "kinds"}, plot_format("map.html"),
                         {.title = "a map", .axes = {0, 2}, .max_drawn = 30});
  EXPECT_TRUE(page.content.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.content.find("<h1>a map</h1>"), std::string::npos);
  EXPECT_NE(page.content.find(R"("colorings":[{"name":"kinds","labels":["one \u003ckind\u003e"])"), std::string::npos);
  EXPECT_EQ(page.notes, std::vector<std::string>{"30 of them drawn"});
  EXPECT_NE(page.content, plot({.map = map}, PlotFormat::Html, {.title = "a map"}).content);
  expect_error(ErrorKind::InvalidOption, "dark=true is for pictures; a page leaves it to its reader",
               [&] { plot({.map = map}, PlotFormat::Html, {.dark = true}); });
  expect_error(ErrorKind::InvalidOption, "axes=0,3: the map has no coordinate 3", [&] {
    plot({.map = map}, PlotFormat::Html, {.axes = {0, 3}});
  });
}

TEST(Plot, OfOneCoordinateIsAPageThatIsHalfAsHighAsWide) {
  const std::string places = base64(std::vector<float>{-1, -0.5, 1, 0.5, 0, 0});
  for (const double unit : {1e-5, 1.0, 1e5}) {
    Array2<double> map(3, 1);
    map(0, 0) = 0, map(1, 0) = 1, map(2, 0) = 0.5;
    const std::vector<double> numbers{0, unit, unit / 2};
    const std::string page = plot({.map = map, .numbers = numbers}, PlotFormat::Html).content;
    EXPECT_NE(page.find(places), std::string::npos) << unit;
  }
}

TEST(Plot, IsWrittenAsAWhole) {
  const ScratchFolder folder;
  const Array2<double> map = cloud(20, 3);
  const std::string path = folder / "map.svg";
  EXPECT_EQ(write_plot(path, {.map = map}), std::vector<std::string>{"the first 2 of 3 coordinates"});
  expect_error(ErrorKind::InvalidOption, "axes", [&] { write_plot(path, {.map = map}, {.axes = {5}}); });
  const std::string drawn = plot({.map = map}, PlotFormat::Svg).content;
  EXPECT_EQ(std::filesystem::file_size(path), drawn.size());  // that of before
}

}  // namespace
}  // namespace unroll
