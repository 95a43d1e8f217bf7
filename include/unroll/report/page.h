#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "unroll/core/export.h"
#include "unroll/core/types.h"
#include "unroll/report/comparison.h"

/// A comparison as one HTML file that needs nothing beside itself: the points themselves if they can be seen, a panel
/// per method, colored alike, the table of figures, and the verdict. Texts are escaped, whatever the user's labels
/// hold.
namespace unroll {

/// What a page shows of one data set.
struct PageSection {
  std::string title = {};                       ///< its name
  std::string command = {};                     ///< that makes it again; empty: not shown
  PointsView points = {};                       ///< what was compared: drawn if it has 2 or 3 columns; no rows: not
  PointsView truth = {};                        ///< true coordinates, to color by; no rows: not known
  std::vector<std::string> truth_names = {};    ///< of its columns; empty: they are numbered
  std::vector<std::string> labels = {};         ///< one per point, to color by; an empty one is not known
  std::vector<double> numbers = {};             ///< or a number per point; NaN is not known
  std::string label_name = "label";             ///< what labels or numbers are
  std::vector<std::string> row_names = {};      ///< shown for the point under the pointer; empty: its number
  std::vector<std::string> feature_names = {};  ///< of the points' columns; empty: they are numbered
  Index image_rows = 0;                         ///< if the points are images: rows of pixels; else 0
  std::string advised = {};                     ///< the label of the map that is recommended; empty: none is
  std::vector<std::string> advice = {};         ///< why, in sentences
  /// Per method what may be read from its map, in sentences; empty: nothing is said. advice/advise.h fills these three.
  std::vector<std::vector<std::string>> reading = {};
  std::int64_t max_drawn = 5000;  ///< points to draw; of more, a sample
};

/// A page with one section. Throws InvalidData when points, truth, labels or names are not those of the points
/// compared.
UNROLL_API std::string comparison_page(const Comparison& comparison, const PageSection& section);

/// A page with one map as it is, neither turned nor measured; the section's title is its heading. `map` has the first
/// two columns drawn.
UNROLL_API std::string map_page(PointsView map, const PageSection& section);

/// Throws InvalidData when the file is there but was not written by write_page.
UNROLL_API void check_page(const std::string& path);

/// Writes the page, atomically. With `append` the section follows those of the file, if it exists.
UNROLL_API void write_page(const std::string& path, const Comparison& comparison, const PageSection& section,
                           bool append = false);

}  // namespace unroll
