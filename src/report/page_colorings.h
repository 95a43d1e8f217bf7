#pragma once
#include <string>
#include <vector>

#include "core/json.h"
#include "unroll/report/page.h"

/// What the points of a page can be colored by, as JSON (web/src/data/section_json.ts says what is in it).
namespace unroll {

/// True coordinates, then labels; if neither is known, the first coordinate of the first map, or of the points where
/// there is no map.
std::vector<Json> known_colorings(const Comparison& comparison, const PageSection& section,
                                  const std::vector<Index>& rows);

Json label_coloring(const std::string& name, const std::vector<std::string>& labels, const std::vector<Index>& rows);

/// Measures of every point's neighbourhood, map by map, where all points were measured.
std::vector<Json> quality_colorings(const Comparison& comparison, const std::vector<Index>& rows);

/// The features, a byte each, if they are few or the points are images; null otherwise.
Json features_json(const PageSection& section, const std::vector<Index>& rows);

}  // namespace unroll
