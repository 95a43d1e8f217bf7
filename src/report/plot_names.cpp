#include "report/plot_names.h"

#include <algorithm>
#include <array>

#include "core/at.h"
#include "report/stroke_font.h"

namespace unroll {
namespace {

double overlap_of(const Rectangle& a, const Rectangle& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.left, b.left);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

struct PlacedName {
  SceneText text = {};
  Rectangle covers = {};
};

/// Right, left, above, below of a point.
std::array<PlacedName, 4> places_around(double x, double y, const std::string& name, double radius,
                                        const PlotStyle& style) {
  const double size = style.small_size(), gap = radius + 4 * style.unit;
  const double length = text_length(name, size), height = 0.75 * size;
  const auto place = [&](double left, double baseline) {
    return PlacedName{{.x = left, .y = baseline, .words = name, .size = size, .color = style.ink, .halo = true},
                      {left, baseline - height, length, height}};
  };
  return {place(x + gap, y + height / 2), place(x - gap - length, y + height / 2), place(x - length / 2, y - gap),
          place(x - length / 2, y + gap + height)};
}

/// What the name would hide, in square pixels: other names, points, and what lies outside the picture.
double hidden_by(const PlacedName& name, const std::vector<Rectangle>& taken, const Scene& scene) {
  const Rectangle whole{0, 0, static_cast<double>(scene.width), static_cast<double>(scene.height)};
  const double area = name.covers.width * name.covers.height, outside = area - overlap_of(name.covers, whole);
  double hidden = outside > 1e-6 * area ? 4 * outside : 0;  // rounding shall not choose the side
  for (const Rectangle& other : taken) hidden += overlap_of(name.covers, other);
  return hidden;
}

}  // namespace

void add_names(const std::vector<std::string>& names, const PlotAxes& axes, const PlotFrame& frame, double radius,
               const PlotStyle& style, Scene& scene) {
  std::vector<Rectangle> taken;
  for (const SceneDot& dot : scene.points.dots)
    taken.push_back({dot.x - radius, dot.y - radius, 2 * radius, 2 * radius});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double a = axes.across.values[i], b = axes.up.values[i];
    if (names[i].empty() || !frame.contains(a, b)) continue;
    const auto places = places_around(frame.x(a), frame.y(b), names[i], radius, style);
    const auto best = std::min_element(places.begin(), places.end(), [&](const PlacedName& p, const PlacedName& q) {
      return hidden_by(p, taken, scene) < hidden_by(q, taken, scene);
    });
    taken.push_back(best->covers);
    scene.texts.push_back(best->text);
  }
}

}  // namespace unroll
