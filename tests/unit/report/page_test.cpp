#include "unroll/report/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/page_points.h"
#include "report/page_text.h"
#include "support/expect_error.h"
#include "support/scratch_folder.h"

namespace unroll {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// A comparison as if methods had run: a spiral, each method's larger than the one before.
Comparison made_up(Index n = 20, int methods = 3) {
  Comparison comparison{.n_points = n, .n_features = 3, .n_neighbors = 5, .measured_points = n, .planned = methods};
  for (int m = 0; m < methods; ++m) {
    const std::string name = fmt::format("method_{}", m);
    ComparedMethod method{.name = name, .label = name, .title = fmt::format("Method {}", m), .seconds = 0.25};
    method.coordinates = Array2<double>(n, 2);
    for (Index i = 0; i < n; ++i) {
      const auto t = static_cast<double>(i);
      method.coordinates(i, 0) = (m + 1) * t * std::cos(t);
      method.coordinates(i, 1) = (m + 1) * t * std::sin(t);
    }
    Quality quality;
    quality.trustworthiness = {.value = 0.5 + 0.01 * m, .sample = n};
    quality.continuity = {.value = 0.75, .sample = n};
    method.quality = quality;
    comparison.methods.push_back(std::move(method));
  }
  return comparison;
}

std::vector<std::string> repeated(const std::string& text, std::size_t n) {
  std::vector<std::string> texts(n, text);
  return texts;
}

TEST(ComparisonPage, HasEveryMethodOnce) {
  const std::string page = comparison_page(made_up(), {.title = "some data", .command = "unroll compare x.npy"});
  for (int m = 0; m < 3; ++m) {
    EXPECT_EQ(count_of(page, fmt::format("<h3>method_{}</h3>", m)), 1U);
    EXPECT_EQ(count_of(page, fmt::format("<th scope=\"row\">method_{}</th>", m)), 1U);
    EXPECT_EQ(count_of(page, fmt::format("<canvas data-map=\"{}\"", m)), 1U);
  }
  EXPECT_EQ(count_of(page, "<section "), 1U);
  EXPECT_EQ(count_of(page, "<h2>some data</h2>"), 1U);
  EXPECT_EQ(count_of(page, "<code>unroll compare x.npy</code>"), 1U);
  EXPECT_EQ(count_of(page, "20 points of 3 features; neighborhoods of 5<"), 1U);
  EXPECT_EQ(count_of(page, "aria-label=\"Map of Method 1: seconds 0.250, trustworthiness 0.5100, continuity 0.7500\""),
            1U);
  EXPECT_EQ(count_of(page, "<td class=\"best\">0.5200</td>"), 1U);
}

TEST(ComparisonPage, NeedsNothingBesideItself) {
  const std::string page = comparison_page(made_up(), {.title = "data"});
  for (const char* word :
       {"http:", "https:", "//www", "src=", "href=", "url(", "@import", "import(", "fetch(", "XMLHttp"})
    EXPECT_EQ(count_of(page, word), 0U) << word;
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char* tag :
       {"html", "head", "body", "main", "style", "section", "figure", "canvas", "table", "script", "div"})
    EXPECT_EQ(count_of(page, fmt::format("<{}>", tag)) + count_of(page, fmt::format("<{} ", tag)),
              count_of(page, fmt::format("</{}>", tag)))
        << tag;
}

TEST(ComparisonPage, TextOfUsersStaysText) {
  const std::string bad = "</script><img onerror=alert(1)>\"'&\xff";
  Comparison comparison = made_up();
  comparison.methods[0].warnings = {{"code", bad, bad}};
  comparison.methods[1].error = Error(ErrorKind::InvalidData, bad);
  comparison.methods[1].coordinates = {};
  comparison.methods[1].quality.reset();
  const Array2<double> truth(20, 1);
  const std::string plain = comparison_page(made_up(), {});
  const std::string page = comparison_page(comparison, {.title = bad,
                                                        .command = bad,
                                                        .truth = truth,
                                                        .truth_names = {bad},
                                                        .labels = repeated(bad, 20),
                                                        .row_names = repeated(bad, 20)});
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(count_of(page, "</script>"), count_of(plain, "</script>"));
  EXPECT_EQ(count_of(page, "\xff"), 0U);
  EXPECT_EQ(count_of(page, "<h2>&lt;/script&gt;&lt;img onerror=alert(1)&gt;&quot;&#39;&amp;\xEF\xBF\xBD</h2>"), 1U);
  // The method that failed says why, in its panel and below the table.
  EXPECT_EQ(count_of(page, "<p class=\"failed\">&lt;/script&gt;"), 1U);
  EXPECT_EQ(count_of(page, "</table></div>\n<ul class=\"notes\">\n<li><b>method_0</b>: &lt;/script&gt;"), 1U);
  EXPECT_EQ(count_of(page, "<li><b>method_1</b>: failed: &lt;/script&gt;"), 1U);
  EXPECT_EQ(count_of(plain, "class=\"notes\""), 0U);
  EXPECT_EQ(count_of(page, "data-map=\"1\""), 0U);
}

TEST(ComparisonPage, ShowsTheDataIfTheyCanBeSeen) {
  Array2<double> points(20, 2);
  for (Index i = 0; i < 20; ++i) points(i, 0) = static_cast<double>(i);
  const std::string page = comparison_page(made_up(), {.points = points});
  EXPECT_EQ(count_of(page, "<h3>original data</h3><p>2 features</p>"), 1U);
  EXPECT_EQ(count_of(page, "<canvas data-map=\"original\""), 1U);
  EXPECT_LT(page.find("<h3>original data</h3>"), page.find("<h3>method_0</h3>"));
  std::vector<std::uint16_t> expected;
  for (Index i = 0; i < 20; ++i)
    expected.insert(expected.end(),
                    {static_cast<std::uint16_t>(std::lround(65535 * static_cast<double>(i) / 19)), 32768});
  EXPECT_EQ(count_of(page, "\"original\":{\"columns\":2,\"at\":\"" + base64(expected) + "\"}"), 1U);
  Comparison none = made_up(20, 1);
  none.methods[0].error = Error(ErrorKind::InvalidData, "failed");
  none.methods[0].coordinates = {};
  EXPECT_EQ(count_of(comparison_page(none, {.points = points}), "\"colorings\":[{\"name\":\"feature 1\""), 1U)
      << "where there is no map";
  const Array2<float> in_space(20, 3);
  EXPECT_EQ(count_of(comparison_page(made_up(), {.points = in_space}), "<p>3 features; drag to turn</p>"), 1U);
  const Array2<double> beyond(20, 4), line(20, 1);
  for (const PointsView& other : {PointsView(beyond), PointsView(line), PointsView()})
    EXPECT_EQ(count_of(comparison_page(made_up(), {.points = other}), "original data"), 0U);
}

TEST(ComparisonPage, HasBaselinesAndVerdict) {
  Comparison comparison = made_up();
  EXPECT_EQ(count_of(comparison_page(comparison, {}), "a random map"), 0U);
  Quality random;
  random.trustworthiness.value = random.continuity.value = 0.5;
  random.labels = {.accuracy = 0.125, .accuracy_high = 0.875};
  comparison.random = random;
  for (ComparedMethod& method : comparison.methods) method.quality->labels = {.accuracy = 0.25, .accuracy_high = 0.875};
  const std::string page = comparison_page(comparison, {});
  EXPECT_EQ(
      count_of(page,
               "<tr><th scope=\"row\">a random map</th><td></td><td>0.5000</td><td>0.5000</td><td>0.1250</td></tr>"),
      1U);
  EXPECT_EQ(count_of(page, "<tr><th scope=\"row\">the data</th><td></td><td></td><td></td><td>0.8750</td></tr>"), 1U);
  EXPECT_EQ(count_of(page, "<ul class=\"verdict\">\n<li>method_2 keeps neighborhoods best, with trust 0.5200"), 1U);
}

TEST(ComparisonPage, SaysThatItWasStopped) {
  Comparison comparison = made_up();
  comparison.planned = 5;
  EXPECT_EQ(count_of(comparison_page(comparison, {}), "; stopped on request, 3 of 5 methods are finished<"), 1U);
}

TEST(ComparisonPage, OwnOptionsStandBesideTheName) {
  Comparison comparison = made_up();
  comparison.methods[1].label = "method_1:kernel=poly,degree=3";
  const std::string page = comparison_page(comparison, {});
  EXPECT_EQ(count_of(page, "<h3>method_1 <span>kernel=poly, degree=3</span></h3>"), 1U);
  EXPECT_EQ(count_of(page, "<th scope=\"row\">method_1:kernel=poly,degree=3</th>"), 1U);
}

TEST(ComparisonPage, FifteenMethodsOf2000PointsAreBelow500Kilobytes) {
  const Array2<double> truth(2000, 2);
  const std::string page = comparison_page(made_up(2000, 15), {.truth = truth, .labels = repeated("label", 2000)});
  EXPECT_LT(page.size(), 500'000U);
}

TEST(ComparisonPage, RefusesWhatBelongsToOtherPoints) {
  const Array2<double> truth(3, 1);
  expect_error(ErrorKind::InvalidData, "20 points were compared, but there are true coordinates of 3",
               [&] { comparison_page(made_up(), {.truth = truth}); });
  expect_error(ErrorKind::InvalidData, "rows of 3", [&] { comparison_page(made_up(), {.points = truth}); });
  try {
    comparison_page(made_up(), {.labels = {"a"}});
    ADD_FAILURE() << "labels of one point";
  } catch (const Error& error) {
    EXPECT_EQ(error.who(), "page");
    EXPECT_EQ(error.problem(), "20 points were compared, but there are labels of 1");
    EXPECT_EQ(error.advice(), "give one per point");
  }
  expect_error(ErrorKind::InvalidData, "names of 2", [&] { comparison_page(made_up(), {.row_names = {"a", "b"}}); });
}

TEST(PagePoints, AxesHaveOneScale) {
  Comparison comparison = made_up(3, 1);
  Array2<double>& map = comparison.methods[0].coordinates;
  map(0, 0) = -1, map(0, 1) = 10;
  map(1, 0) = 3, map(1, 1) = 10;
  map(2, 0) = 1, map(2, 1) = 11;
  const PagePoints points = page_points(comparison, {});
  // x spans the whole, y the quarter in the middle of it.
  const std::string xy = base64(std::vector<std::uint16_t>{0, 24576, 65535, 24576, 32768, 40959});
  EXPECT_EQ(count_of(points.json, "\"maps\":[\"" + xy + "\"]"), 1U) << points.json;
  EXPECT_EQ(count_of(points.json, R"("count":3,"rows":null,"names":null,"original":null)"), 1U) << points.json;
  EXPECT_EQ(count_of(points.json, R"("colorings":[{"name":"method_0 0","low":-1.0,"high":3.0,)"), 1U)
      << "the first map's, for want of truth: " << points.json;
}

TEST(PagePoints, AxesRunAsTheTruth) {
  Comparison comparison = made_up(3, 2);
  Array2<double> truth(3, 1);
  for (Index i = 0; i < 3; ++i) {
    const auto t = static_cast<double>(i);
    truth(i, 0) = t;
    for (const std::size_t m : {0U, 1U}) {
      comparison.methods[m].coordinates(i, 0) = m == 0 ? t : -5 * t;
      comparison.methods[m].coordinates(i, 1) = 0;
    }
  }
  const std::string xy = base64(std::vector<std::uint16_t>{0, 32768, 32768, 32768, 65535, 32768});
  EXPECT_EQ(count_of(page_points(comparison, {.truth = truth}).json, xy), 2U);
  EXPECT_EQ(count_of(page_points(comparison, {}).json, xy), 2U) << "or as the first map";
}

TEST(PagePoints, HugeAndTinyMapsAreDrawn) {
  Comparison comparison = made_up(2, 3);
  const std::vector<double> sizes{1.7e308, 1e-300, 0};
  for (std::size_t m = 0; m < 3; ++m) {
    comparison.methods[m].coordinates = Array2<double>(2, 1);
    comparison.methods[m].coordinates(0, 0) = -sizes[m];
    comparison.methods[m].coordinates(1, 0) = sizes[m];
  }
  const std::string json = page_points(comparison, {}).json;
  EXPECT_EQ(count_of(json, '"' + base64(std::vector<std::uint16_t>{0, 32768, 65535, 32768}) + '"'), 2U) << json;
  EXPECT_EQ(count_of(json, '"' + base64(std::vector<std::uint16_t>{32768, 32768, 32768, 32768}) + '"'), 1U) << json;
}

TEST(PagePoints, OfManyASampleIsDrawn) {
  const Comparison comparison = made_up(100, 1);
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
  const Comparison comparison = made_up(4, 1);
  const PagePoints points = page_points(comparison, {.labels = {"10", "b", "9", "9"}});
  const std::string codes = base64(std::vector<std::uint8_t>{1, 2, 0, 0});
  EXPECT_EQ(count_of(points.json, R"({"name":"label","labels":["9","10","b"],"at":")" + codes + '"'), 1U)
      << points.json;

  const Comparison many = made_up(101, 1);
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

TEST(PagePoints, ClustersAreDrawnOnTheMapThatKeepsNeighborhoodsBest) {
  Comparison comparison = made_up(20, 3);
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

TEST(WritePage, AppendsToItsOwnPagesOnly) {
  const ScratchFolder folder;
  const std::string path = folder / "page.html";
  write_page(path, made_up(), {.title = "first"}, true);
  EXPECT_EQ(content_of(path), comparison_page(made_up(), {.title = "first"}));
  check_page(path);
  write_page(path, made_up(30, 2), {.title = "second"}, true);
  const std::string page = content_of(path);
  EXPECT_EQ(count_of(page, "<section "), 2U);
  EXPECT_LT(page.find("<h2>first</h2>"), page.find("<h2>second</h2>"));
  EXPECT_EQ(count_of(page, "<!DOCTYPE html>"), 1U);
  write_page(path, made_up(), {.title = "third"});
  EXPECT_EQ(count_of(content_of(path), "<section "), 1U);

  for (const std::string other : {"<!DOCTYPE html><html></html>", "", "<!-- the next section goes here -->\n"}) {
    put_content(path, other);
    expect_error(ErrorKind::InvalidData, "is not a page that", [&] { check_page(path); });
    expect_error(ErrorKind::InvalidData, path, [&] { write_page(path, made_up(), {.title = "fourth"}, true); });
    EXPECT_EQ(content_of(path), other);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"page.html"});
}

}  // namespace
}  // namespace unroll
