#pragma once
#include <string_view>
#include <vector>

/// Letters made of strokes of a round pen, for pictures in pixels: the printable characters of ASCII. Others are boxes.
namespace unroll {

struct Stroke {
  double x1 = 0;
  double y1 = 0;
  double x2 = 0;
  double y2 = 0;
};

/// The pieces of a line of text that begins at (0, 0) on its baseline, y upwards. `size` is that of other fonts:
/// capitals are 0.7 of it high.
std::vector<Stroke> text_strokes(std::string_view text, double size);

/// How wide the line is; fonts of other programs may need a little more.
double text_length(std::string_view text, double size);

/// The width of the pen.
double pen_width(double size, bool bold);

/// Whether all characters have a letter.
bool has_all_letters(std::string_view text);

}  // namespace unroll
