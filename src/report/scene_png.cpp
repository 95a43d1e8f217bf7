#include "report/png.h"
#include "report/raster.h"
#include "report/scene.h"
#include "report/stroke_font.h"

namespace unroll {
namespace {

/// The strokes of a text in their place: letters have y upwards, a picture downwards.
std::vector<Stroke> placed_strokes(const SceneText& text) {
  const double length = text_length(text.words, text.size);
  const double shift = text.anchor == Anchor::Start ? 0 : text.anchor == Anchor::Middle ? length / 2 : length;
  std::vector<Stroke> strokes = text_strokes(text.words, text.size);
  for (Stroke& stroke : strokes) {
    const Stroke flat{stroke.x1 - shift, -stroke.y1, stroke.x2 - shift, -stroke.y2};
    stroke = text.upwards ? Stroke{text.x + flat.y1, text.y - flat.x1, text.x + flat.y2, text.y - flat.x2}
                          : Stroke{text.x + flat.x1, text.y + flat.y1, text.x + flat.x2, text.y + flat.y2};
  }
  return strokes;
}

void paint_dots(const Scene& scene, const SceneDots& dots, Raster& raster) {
  for (const SceneDot& dot : dots.dots)
    raster.paint_disc(dot.x, dot.y, dots.radius, scene.palette[dot.color], dots.opacity);
}

}  // namespace

std::string png_of(const Scene& scene) {
  constexpr double kHalo = 4;
  Raster raster(scene.width, scene.height, scene.ground);
  for (const SceneBox& box : scene.boxes) raster.paint_box(box.place, box.color);
  paint_dots(scene, scene.points, raster);
  paint_dots(scene, scene.marks, raster);
  for (const SceneText& text : scene.texts) {
    const std::vector<Stroke> strokes = placed_strokes(text);
    const double pen = pen_width(text.size, text.bold);
    if (text.halo) raster.paint_strokes(strokes, pen + kHalo, scene.ground);
    raster.paint_strokes(strokes, pen, text.color);
  }
  return png_file(raster.rgb(), scene.width, scene.height);
}

}  // namespace unroll
