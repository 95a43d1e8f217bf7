#pragma once
#include <optional>
#include <string>
#include <vector>

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
  /// {"count": 3, "rows": [0, 7, 9] or null for all, "names": [...] or null, "original": {"columns": 2 or 3, "at":
  /// base64} or null, "maps": [base64], "colorings": [{"name", "low", "high", "at": base64} or {"name", "labels":
  /// [...], "at": base64}]}
  std::string json = {};
  std::vector<std::optional<Panel>> panels = {};  ///< per method; none: it failed
};

/// Whether points can be drawn as they are.
bool can_be_seen(PointsView points);

PagePoints page_points(const Comparison& comparison, const PageSection& section);

}  // namespace unroll
