#include "unroll/report/page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/page_text.h"
#include "support/expect_error.h"
#include "support/made_up_page.h"
#include "support/scratch_folder.h"

namespace unroll {
namespace {

TEST(ComparisonPage, HasEveryMethodOnce) {
  const std::string page =
      comparison_page(made_up_spirals(), {.title = "some data", .command = "unroll compare x.npy"});
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
  const std::string page = comparison_page(made_up_spirals(), {.title = "data"});
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
  Comparison comparison = made_up_spirals();
  comparison.methods[0].warnings = {{"code", bad, bad}};
  comparison.methods[1].error = Error(ErrorKind::InvalidData, bad);
  comparison.methods[1].coordinates = {};
  comparison.methods[1].quality.reset();
  const Array2<double> truth(20, 1);
  const std::string plain = comparison_page(made_up_spirals(), {});
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
  const std::string page = comparison_page(made_up_spirals(), {.points = points});
  EXPECT_EQ(count_of(page, "<h3>original data</h3><p>2 features</p>"), 1U);
  EXPECT_EQ(count_of(page, "<canvas data-map=\"original\""), 1U);
  EXPECT_LT(page.find("<h3>original data</h3>"), page.find("<h3>method_0</h3>"));
  std::vector<float> expected;
  for (Index i = 0; i < 20; ++i)
    expected.insert(expected.end(), {static_cast<float>((static_cast<double>(i) - 9.5) / 9.5), 0.0F});
  EXPECT_EQ(count_of(page, "\"original\":{\"columns\":2,\"at\":\"" + base64(expected) + "\"}"), 1U);
  Comparison none = made_up_spirals(20, 1);
  none.methods[0].error = Error(ErrorKind::InvalidData, "failed");
  none.methods[0].coordinates = {};
  EXPECT_EQ(count_of(comparison_page(none, {.points = points}), "\"colorings\":[{\"name\":\"feature 1\""), 1U)
      << "where there is no map";
  const Array2<float> in_space(20, 3);
  EXPECT_EQ(count_of(comparison_page(made_up_spirals(), {.points = in_space}), "<p>3 features; drag to turn</p>"), 1U);
  const Array2<double> beyond(20, 4), line(20, 1);
  for (const PointsView& other : {PointsView(beyond), PointsView(line), PointsView()})
    EXPECT_EQ(count_of(comparison_page(made_up_spirals(), {.points = other}), "original data"), 0U);
}

TEST(ComparisonPage, HasBaselinesAndVerdict) {
  Comparison comparison = made_up_spirals();
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

TEST(ComparisonPage, SetsOffAMapThatIsWorthNothing) {
  Comparison comparison = made_up_spirals();
  Quality random;
  random.trustworthiness.value = random.continuity.value = 0.5;
  comparison.random = random;
  comparison.methods[1].quality->trustworthiness.value = 0.51;
  comparison.methods[1].quality->continuity.value = 0.60;
  const std::string page = comparison_page(comparison, {});
  EXPECT_EQ(count_of(page, "<figure data-method=\"1\" class=\"worthless\">"), 1U);
  EXPECT_EQ(count_of(page, "<p class=\"poor\">keeps hardly more than a random map</p>"), 1U);
  EXPECT_EQ(count_of(page, "<tr class=\"worthless\"><th scope=\"row\">method_1</th>"), 1U);
  EXPECT_EQ(count_of(page, "<figure data-method=\"2\"><figcaption>"), 1U);
}

TEST(ComparisonPage, HasTheParametersAndTheCurves) {
  Comparison comparison = made_up_spirals();
  comparison.methods[0].options = {{"n_neighbors", std::int64_t{7}}, {"metric", std::string("<euclidean>")}};
  comparison.curves = RankCurves{.k = {1, 2, 5}, .r_nx = {{0.5, 0.25, 0.125}, {}, {1, 1, 1}}};
  comparison.curves->area = {NeighborhoodMeasure{.value = 0.25, .sample = 20}, std::nullopt,
                             NeighborhoodMeasure{.value = 1, .sample = 20}};
  const std::string page = comparison_page(comparison, {});
  EXPECT_EQ(count_of(page, "<tr><td>method_0</td><td>n_neighbors=7, metric=&lt;euclidean&gt;</td>"), 1U);
  EXPECT_EQ(count_of(page, R"("curves":{"k":[1,2,5],"values":[[0.5,0.25,0.125],null,[1.0,1.0,1.0]]})"), 1U);
  EXPECT_EQ(count_of(page, ">R_NX area</th>"), 1U);
  EXPECT_EQ(count_of(page, "<td class=\"best\">1.0000</td>"), 1U);
}

TEST(ComparisonPage, HasTheAdviceThatItIsGiven) {
  EXPECT_EQ(count_of(comparison_page(made_up_spirals(), {}), "Advice"), 0U);
  const PageSection section{
      .advised = "method_1", .advice = {"it is <best>"}, .reading = {{"one"}, {"two & a half"}, {}}};
  const std::string page = comparison_page(made_up_spirals(), section);
  EXPECT_EQ(count_of(page,
                     "<h3>Advice: take method_1</h3>\n<ul>\n<li>it is &lt;best&gt;</li>\n</ul>\n"
                     "<h4>Reading its map</h4>\n<ul>\n<li>two &amp; a half</li>\n</ul>\n"),
            1U);
  EXPECT_EQ(count_of(page, R"("reading":["one"])"), 1U);
  EXPECT_EQ(count_of(page, R"("reading":[])"), 1U);
  expect_error(ErrorKind::InvalidData, "3 methods were compared, but 1 have reading aids",
               [] { comparison_page(made_up_spirals(), {.reading = {{"one"}}}); });
}

TEST(ComparisonPage, SaysThatItWasStopped) {
  Comparison comparison = made_up_spirals();
  comparison.planned = 5;
  EXPECT_EQ(count_of(comparison_page(comparison, {}), "; stopped on request, 3 of 5 methods are finished<"), 1U);
}

TEST(ComparisonPage, OwnOptionsStandBesideTheName) {
  Comparison comparison = made_up_spirals();
  comparison.methods[1].label = "method_1:kernel=poly,degree=3";
  const std::string page = comparison_page(comparison, {});
  EXPECT_EQ(count_of(page, "<h3>method_1 <span>kernel=poly, degree=3</span></h3>"), 1U);
  EXPECT_EQ(count_of(page, "<th scope=\"row\">method_1:kernel=poly,degree=3</th>"), 1U);
}

TEST(ComparisonPage, FifteenMethodsOf2000PointsAreBelow500Kilobytes) {
  const Array2<double> truth(2000, 2);
  const std::string page =
      comparison_page(made_up_spirals(2000, 15), {.truth = truth, .labels = repeated("label", 2000)});
  EXPECT_LT(page.size(), 500'000U);
}

TEST(ComparisonPage, RefusesWhatBelongsToOtherPoints) {
  const Array2<double> truth(3, 1);
  expect_error(ErrorKind::InvalidData, "20 points were compared, but there are true coordinates of 3",
               [&] { comparison_page(made_up_spirals(), {.truth = truth}); });
  expect_error(ErrorKind::InvalidData, "rows of 3", [&] { comparison_page(made_up_spirals(), {.points = truth}); });
  try {
    comparison_page(made_up_spirals(), {.labels = {"a"}});
    ADD_FAILURE() << "labels of one point";
  } catch (const Error& error) {
    EXPECT_EQ(error.who(), "page");
    EXPECT_EQ(error.problem(), "20 points were compared, but there are labels of 1");
    EXPECT_EQ(error.advice(), "give one per point");
  }
  expect_error(ErrorKind::InvalidData, "names of 2", [&] {
    comparison_page(made_up_spirals(), {.row_names = {"a", "b"}});
  });
}

TEST(MapPage, HasOneMapAsItIs) {
  Array2<float> map(3, 2);
  map(0, 0) = 2, map(1, 1) = 1;
  Array2<double> truth(3, 2);
  truth(0, 0) = -1, truth(1, 1) = -1;
  const std::string page = map_page(map, {.title = "a <map>", .command = "unroll plot m.npy", .truth = truth});
  EXPECT_EQ(count_of(page, "<h1>a &lt;map&gt;</h1>"), 1U);
  EXPECT_EQ(count_of(page, "<canvas data-map=\"0\""), 1U);
  EXPECT_EQ(count_of(page, "<table>"), 0U);
  EXPECT_EQ(count_of(page, "Methods compared"), 0U);
  EXPECT_EQ(count_of(page, "method's map"), 0U);
  EXPECT_EQ(count_of(page, "all maps of its data"), 0U);
  const std::string xy = base64(std::vector<float>{1, -0.5, -1, 0.5, -1, -0.5});
  EXPECT_EQ(count_of(page, "\"maps\":[{\"at\":\"" + xy), 1U);
  expect_error(ErrorKind::InvalidData, "labels of 1", [&] { map_page(map, {.labels = {"a"}}); });
}

TEST(WritePage, AppendsToItsOwnPagesOnly) {
  const ScratchFolder folder;
  const std::string path = folder / "page.html";
  write_page(path, made_up_spirals(), {.title = "first"}, true);
  EXPECT_EQ(content_of(path), comparison_page(made_up_spirals(), {.title = "first"}));
  check_page(path);
  write_page(path, made_up_spirals(30, 2), {.title = "second"}, true);
  const std::string page = content_of(path);
  EXPECT_EQ(count_of(page, "<section "), 2U);
  EXPECT_LT(page.find("<h2>first</h2>"), page.find("<h2>second</h2>"));
  EXPECT_EQ(count_of(page, "<!DOCTYPE html>"), 1U);
  write_page(path, made_up_spirals(), {.title = "third"});
  EXPECT_EQ(count_of(content_of(path), "<section "), 1U);

  for (const std::string other : {"<!DOCTYPE html><html></html>", "", "<!-- the next section goes here -->\n"}) {
    put_content(path, other);
    expect_error(ErrorKind::InvalidData, "is not a page that", [&] { check_page(path); });
    expect_error(ErrorKind::InvalidData, path, [&] { write_page(path, made_up_spirals(), {.title = "fourth"}, true); });
    EXPECT_EQ(content_of(path), other);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"page.html"});
}

}  // namespace
}  // namespace unroll
