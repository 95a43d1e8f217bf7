#pragma once
#include <optional>
#include <string>
#include <vector>

#include "unroll/report/figures.h"
#include "unroll/report/page.h"

/// The data that the script of the page draws.
namespace unroll {

/// One picture: which map, in which colors.
struct Panel {
  std::size_t map = 0;                       ///< the index of a method that has one
  std::optional<std::size_t> coloring = {};  ///< an index; none: the one chosen on the page
};

struct PagePoints {
  std::vector<Index> rows = {};  ///< rows that are drawn
  /// web/src/data/section_json.ts says what is in it.
  std::string json = {};
  std::vector<std::optional<Panel>> panels = {};  ///< per method; none: it failed
};

/// The columns of the page's table: those of figures.h, and the area below the curves.
std::vector<Figure> page_figures(const Comparison& comparison);

/// Whether points can be drawn as they are.
bool can_be_seen(PointsView points);

/// Throws InvalidData when points, truth, labels or names are not those of the points compared.
void check_section(const Comparison& comparison, const PageSection& section);

/// `turned`: maps are turned to match the truth, or the first map.
PagePoints page_points(const Comparison& comparison, const PageSection& section, bool turned = true);

}  // namespace unroll
