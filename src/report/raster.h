#pragma once
#include <cstdint>
#include <vector>

#include "report/scene.h"
#include "report/stroke_font.h"

namespace unroll {

/// A picture in memory on which shapes with smooth edges are painted one over the other. A pixel at the edge of a shape
/// is covered as far as the edge is from its middle.
class Raster {
 public:
  Raster(std::int64_t width, std::int64_t height, Color ground);

  void paint_disc(double x, double y, double radius, Color color, double opacity);
  void paint_box(const Rectangle& place, Color color);
  /// Strokes of a round pen, all together: where they meet nothing is painted twice.
  void paint_strokes(const std::vector<Stroke>& strokes, double pen, Color color);

  /// Red, green, blue of every pixel, by rows from the top.
  std::vector<std::uint8_t> rgb() const;

 private:
  /// Pixels that a shape may touch, cut to the picture.
  struct Area {
    std::int64_t left, top, right, bottom;  // the last two are outside
  };
  Area area_around(double left, double top, double right, double bottom) const;
  void blend(std::int64_t x, std::int64_t y, Color color, float share);

  std::int64_t width_;
  std::int64_t height_;
  std::vector<float> values_;  // floats, since a hundred faint discs must not be lost by rounding
};

}  // namespace unroll
