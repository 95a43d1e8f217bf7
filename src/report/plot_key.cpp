#include "report/plot_key.h"

#include <algorithm>

#include "report/stroke_font.h"

namespace unroll {
namespace {

constexpr double kLine = 19, kTitle = 24, kMark = 4.8, kIndent = 17;
constexpr double kBar = 14, kTallest = 260, kBarIndent = 22;
constexpr double kWidest = 170;  // longer words are cut
constexpr int kScaleTicks = 5;

/// The height of a scale of colors: what the lines below leave.
double bar_height(const PointColors& colors, const Rectangle& place, const PlotStyle& style) {
  const double below = kLine * static_cast<double>(colors.key.size()) + 14;
  return std::clamp(place.height - (kTitle + below) * style.unit, 20 * style.unit, kTallest * style.unit);
}

/// Returns where the next line begins.
double add_scale(const PointColors& colors, const Rectangle& place, double top, const PlotStyle& style, Scene& scene) {
  const double height = bar_height(colors, place, style);
  const std::size_t levels = colors.palette.size() - kFirstColor;
  for (std::size_t level = levels;
       level-- > 0;) {  // each covers the lower part of the one above, so that no edge shows
    const double above = height * static_cast<double>(levels - 1 - level) / static_cast<double>(levels);
    scene.boxes.push_back(
        {{place.left, top + above, kBar * style.unit, height - above}, colors.palette[level + kFirstColor]});
  }
  const PlotTicks ticks = ticks_of(*colors.scale, kScaleTicks);
  for (std::size_t i = 0; i < ticks.at.size(); ++i)
    scene.texts.push_back({.x = place.left + kBarIndent * style.unit,
                           .y = top + height * (1 - colors.scale->share(ticks.at[i])) + 4 * style.unit,
                           .words = ticks.texts[i],
                           .size = style.small_size(),
                           .color = style.soft});
  return top + height + 14 * style.unit;
}

}  // namespace

std::size_t key_lines(double height, const PlotStyle& style) {
  return static_cast<std::size_t>(std::max(0.0, (height / style.unit - kTitle) / kLine - 1));
}

double key_width(const PointColors& colors, const std::string& title, const PlotStyle& style) {
  if (colors.key.empty() && !colors.scale) return 0;
  double widest = text_length(title, style.text_size());
  for (const KeyEntry& entry : colors.key)
    widest = std::max(widest, kIndent * style.unit + text_length(entry.words, style.text_size()));
  if (colors.scale)
    for (const std::string& text : ticks_of(*colors.scale, kScaleTicks).texts)
      widest = std::max(widest, kBarIndent * style.unit + text_length(text, style.small_size()));
  return std::min(1.1 * widest, kWidest * style.unit);  // letters of an SVG may be a little wider
}

void add_key(const PointColors& colors, const std::string& title, const Rectangle& place, const PlotStyle& style,
             Scene& scene) {
  if (colors.key.empty() && !colors.scale) return;
  double top = place.top;
  if (!title.empty()) {
    scene.texts.push_back({.x = place.left,
                           .y = top + 10 * style.unit,
                           .words = shortened(title, style.text_size(), place.width),
                           .size = style.text_size(),
                           .color = style.ink,
                           .bold = true});
    top += kTitle * style.unit;
  }
  if (colors.scale) top = add_scale(colors, place, top, style, scene);
  scene.marks.radius = kMark * style.unit;
  for (const KeyEntry& entry : colors.key) {
    scene.marks.dots.push_back(
        {static_cast<float>(place.left + kMark * style.unit), static_cast<float>(top + 6 * style.unit), entry.color});
    const double room = place.width - kIndent * style.unit;
    scene.texts.push_back({.x = place.left + kIndent * style.unit,
                           .y = top + 10.2 * style.unit,
                           .words = shortened(entry.words, style.text_size(), room),
                           .size = style.text_size(),
                           .color = entry.color < kFirstColor ? style.soft : style.ink});
    top += kLine * style.unit;
  }
}

}  // namespace unroll
