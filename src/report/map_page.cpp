#include <fmt/format.h>

#include "data/validate.h"
#include "report/page_frame.h"
#include "report/page_points.h"
#include "report/page_text.h"
#include "unroll/report/page.h"
#include "unroll/version.h"

namespace unroll {
namespace {

/// Puts another text in the place of one that is there.
void put(std::string& page, std::string_view old, const std::string& text) {
  const std::size_t place = page.find(old);
  if (place != std::string::npos) page.replace(place, old.size(), text);
}

}  // namespace

std::string map_page(PointsView map, const PageSection& section) {
  check_points(map, 1, {}, "map");
  Comparison one{.n_points = map.rows(), .n_features = section.points.cols(), .planned = 1};
  ComparedMethod method{.name = "map", .label = section.title, .coordinates = Array2<double>(map.rows(), map.cols())};
  map.visit([&](auto view) {
    for (Index i = 0; i < view.rows; ++i)
      for (Index j = 0; j < view.cols; ++j) method.coordinates(i, j) = static_cast<double>(view(i, j));
  });
  one.methods.push_back(std::move(method));
  check_section(one, section);
  const PagePoints points = page_points(one, section, false);
  const std::string title = html_text(section.title);
  const std::string command =
      section.command.empty() ? ""
                              : fmt::format("<p class=\"command\"><code>{}</code></p>\n", html_text(section.command));
  const std::string drawn = std::ssize(points.rows) < map.rows()
                                ? fmt::format("; {} of them, chosen at random, are drawn", points.rows.size())
                                : "";
  std::string page = with_section(
      empty_page(), "the template",
      fmt::format(
          "<section aria-label=\"{0}\">\n<p class=\"facts\">{1} points{2}</p>\n{3}<div class=\"key\"></div>\n"
          "<div class=\"panels\">\n<figure data-method=\"0\"><figcaption><h3>{0}</h3></figcaption><div "
          "class=\"map\"><canvas data-map=\"0\" tabindex=\"0\" role=\"img\" aria-label=\"{0}\"></canvas></div>\n"
          "</figure>\n</div>\n<p class=\"made\">unroll {4}</p>\n<script type=\"application/json\">{5}</script>\n"
          "</section>\n",
          title, map.rows(), drawn, command, version(), points.json));
  put(page, "<title>Methods compared</title>", fmt::format("<title>{}</title>", title));
  put(page, "<h1>Methods compared</h1>", fmt::format("<h1>{}</h1>", title));
  put(page,
      "Every panel is one method's map of the same points, in the same colors, on axes of one scale, turned to match "
      "the others.\n",
      "");
  put(page, "Point at a point to find it in all maps of its data; drag to select points; click a map to enlarge it.",
      "Point at a point to see what it is; drag to select points; click the map to enlarge it.");
  return page;
}

}  // namespace unroll
