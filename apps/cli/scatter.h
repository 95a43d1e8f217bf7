#pragma once
#include <string>

#include "coloring.h"
#include "unroll/core/types.h"

namespace unroll::cli {

/// What a terminal can show.
struct Canvas {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool has_unicode = false;     ///< else characters of ASCII
  bool has_colors = false;      ///< escape sequences
  bool has_256_colors = false;  ///< else eight

  /// That of standard output.
  static Canvas of_terminal(bool has_colors);
};

/// Whether standard output is a terminal, where a table of numbers helps nobody.
bool is_read_by_people();

/// A picture of the first two coordinates with their ranges and a legend, made of characters: eight dots in each
/// (Braille), in the color of most of its points. Without colors a character is the letter of most of its points.
std::string scatter_text(PointsView map, const std::string& axis_name, const Coloring& coloring, const Canvas& canvas);

}  // namespace unroll::cli
