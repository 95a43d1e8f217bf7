#pragma once
#include <string>
#include <string_view>

#include "report/scene.h"

namespace unroll {

/// Sizes and colors that all parts of a picture share. Lengths are in units of which a picture of 800 x 600 pixels has
/// one per pixel, so that a larger picture is the same one with more pixels.
struct PlotStyle {
  PlotStyle(std::int64_t width, std::int64_t height, bool dark);

  double unit = 1;
  Color ground = {255, 255, 255};
  Color ink = {0x22, 0x25, 0x2b};   ///< of titles and names
  Color soft = {0x6a, 0x6f, 0x78};  ///< of numbers and remarks
  Color line = {0xe6, 0xe8, 0xeb};

  double text_size() const { return 12 * unit; }
  double small_size() const { return 11 * unit; }
  double title_size() const { return 17 * unit; }
  /// A straight line that covers whole pixels.
  SceneBox horizontal(double left, double right, double y) const;
  SceneBox vertical(double x, double top, double bottom) const;
};

/// The text, or its beginning and "..." if it is longer.
std::string shortened(std::string_view words, double size, double most);

}  // namespace unroll
