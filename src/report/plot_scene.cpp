#include "report/plot_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/plot_key.h"
#include "report/plot_names.h"
#include "report/stroke_font.h"

namespace unroll {
namespace {

constexpr double kEdge = 20;  // between the picture and what is in it
constexpr int kTicks = 6;     // about so many numbers on an axis
constexpr double kTickLength = 4;

/// The same range around its middle, with that half.
PlotRange with_half(const PlotRange& range, double half) {
  const double middle = range.middle();
  return {middle - half, middle + half};
}

/// Gives both axes units of one length, if that is wanted; returns whether they have.
bool equalize(PlotFrame& frame, Aspect aspect) {
  constexpr double kLongest = 8, kMostOfDouble = 1e307;
  const double across = frame.across.half(), up = frame.up.half();
  if (aspect == Aspect::Free) return false;
  if (aspect == Aspect::Auto && std::max(across, up) > kLongest * std::min(across, up)) return false;
  const double per_pixel = std::max(across / frame.panel.width, up / frame.panel.height);
  if (per_pixel * std::max(frame.panel.width, frame.panel.height) > kMostOfDouble) return false;
  frame.across = with_half(frame.across, per_pixel * frame.panel.width);
  frame.up = with_half(frame.up, per_pixel * frame.panel.height);
  return true;
}

double widest_of(const std::vector<std::string>& texts, double size) {
  double widest = 0;
  for (const std::string& text : texts) widest = std::max(widest, text_length(text, size));
  return widest;
}

/// The place of the points: what title, numbers and legend leave.
Rectangle panel_of(const PlotOptions& options, const PlotRange& up, bool has_numbers, double legend,
                   const PlotStyle& style) {
  const auto width = static_cast<double>(options.width), height = static_cast<double>(options.height);
  const double u = style.unit;
  if (options.bare) return {6 * u, 6 * u, width - 12 * u, height - 12 * u};
  const double numbers = has_numbers ? 1.1 * widest_of(ticks_of(up, kTicks).texts, style.small_size()) + 8 * u : 0;
  const double left = kEdge * u + 18 * u + numbers, right = kEdge * u + (legend > 0 ? legend + 18 * u : 0);
  const double top = (options.title.empty() ? 38 : 62) * u, bottom = 54 * u;
  // Numbers and legend of a tiny picture may need more than there is.
  return {left, top, std::max(width - left - right, width / 4), std::max(height - top - bottom, height / 4)};
}

void add_outline(const Rectangle& panel, const PlotStyle& style, Scene& scene) {
  for (const double y : {panel.top, panel.bottom()})
    scene.boxes.push_back(style.horizontal(panel.left, panel.right(), y));
  for (const double x : {panel.left, panel.right()})
    scene.boxes.push_back(style.vertical(x, panel.top, panel.bottom()));
}

void add_ticks(const PlotFrame& frame, bool has_numbers_up, const PlotStyle& style, Scene& scene) {
  const Rectangle& panel = frame.panel;
  const double u = style.unit;
  SceneText number{.size = style.small_size(), .color = style.soft};
  const PlotTicks across = ticks_of(frame.across, kTicks);
  for (std::size_t i = 0; i < across.at.size(); ++i) {
    number.x = frame.x(across.at[i]);
    number.y = panel.bottom() + (kTickLength + 12) * u;
    number.words = across.texts[i];
    number.anchor = Anchor::Middle;
    scene.boxes.push_back(style.vertical(number.x, panel.top, panel.bottom()));
    scene.texts.push_back(number);
  }
  if (!has_numbers_up) return;
  const PlotTicks up = ticks_of(frame.up, kTicks);
  for (std::size_t i = 0; i < up.at.size(); ++i) {
    const double y = frame.y(up.at[i]);
    number.x = panel.left - (kTickLength + 3) * u;
    number.y = y + 4 * u;
    number.words = up.texts[i];
    number.anchor = Anchor::End;
    scene.boxes.push_back(style.horizontal(panel.left, panel.right(), y));
    scene.texts.push_back(number);
  }
}

void add_axis_names(const PlotAxes& axes, const Rectangle& panel, const PlotStyle& style, Scene& scene) {
  SceneText name{.size = style.text_size(), .color = style.ink, .anchor = Anchor::Middle};
  name.x = panel.left + panel.width / 2;
  name.y = panel.bottom() + 38 * style.unit;
  name.words = shortened(axes.across.name, name.size, panel.width);
  scene.texts.push_back(name);
  name.x = (kEdge + 9) * style.unit;
  name.y = panel.top + panel.height / 2;
  name.words = shortened(axes.up.name, name.size, panel.height);
  name.upwards = true;
  if (!name.words.empty()) scene.texts.push_back(name);
}

/// Title and remarks, above the panel.
void add_heading(const PlotOptions& options, const std::string& remarks, const Rectangle& panel, const PlotStyle& style,
                 Scene& scene) {
  const double room = static_cast<double>(options.width) - panel.left - kEdge * style.unit;
  if (!options.title.empty())
    scene.texts.push_back({.x = panel.left,
                           .y = 30 * style.unit,
                           .words = shortened(options.title, style.title_size(), room),
                           .size = style.title_size(),
                           .color = style.ink,
                           .bold = true});
  scene.texts.push_back({.x = panel.left,
                         .y = panel.top - 13 * style.unit,
                         .words = shortened(remarks, style.small_size(), room),
                         .size = style.small_size(),
                         .color = style.soft});
}

/// What the picture leaves out.
std::vector<std::string> notes_of(const PlotAxes& axes, const PointColors& colors, const PlotOptions& options,
                                  Index shown, bool is_to_scale) {
  const Index n = std::ssize(axes.across.values), drawn = std::min(n, options.max_drawn.value_or(n));
  std::vector<std::string> notes = axes.notes;
  if (drawn < n) notes.push_back(fmt::format("{} of them drawn", drawn));
  if (const Index outside = drawn - shown; outside > 0)
    notes.push_back(fmt::format("{} {} outside", counted(outside, "point"), outside == 1 ? "lies" : "lie"));
  notes.insert(notes.end(), colors.notes.begin(), colors.notes.end());
  if (axes.are_of_map && !is_to_scale) notes.emplace_back("the axes have units of their own");
  return notes;
}

}  // namespace

PlotScene plot_scene(const PlotSubject& subject, const PlotOptions& options) {
  const PlotStyle style(options.width, options.height, options.dark);
  PlotScene result{
      .scene = {.width = options.width, .height = options.height, .title = options.title, .ground = style.ground}};
  Scene& scene = result.scene;
  const double u = style.unit;
  // Without a legend there is no end to its lines.
  const std::size_t entries =
      options.bare ? subject.labels.size() : key_lines(static_cast<double>(options.height) - 100 * u, style);
  const PointColors colors = point_colors(subject, options, entries);
  scene.palette = colors.palette;

  const PlotAxes axes = plot_axes(subject, options, colors);
  PlotFrame frame{.across = with_margin(range_of(axes.across.values, options.all)),
                  .up = with_margin(range_of(axes.up.values, options.all))};
  const double legend = options.bare ? 0 : key_width(colors, subject.label_name, style);
  frame.panel = panel_of(options, frame.up, axes.up.has_numbers, legend, style);
  const bool is_to_scale = axes.are_of_map && equalize(frame, options.aspect);
  scene.points = plot_points(axes, colors, frame, u, options);
  result.notes = notes_of(axes, colors, options, std::ssize(scene.points.dots), is_to_scale);
  if (options.bare) {
    add_outline(frame.panel, style, scene);
    return result;
  }

  const Rectangle& panel = frame.panel;
  add_ticks(frame, axes.up.has_numbers, style, scene);
  add_axis_names(axes, panel, style, scene);
  std::vector<std::string> remarks{counted(subject.map.rows(), "point")};
  remarks.insert(remarks.end(), result.notes.begin(), result.notes.end());
  add_heading(options, joined(remarks, "; "), panel, style, scene);
  add_key(colors, subject.label_name, {panel.right() + 18 * u, panel.top, legend, panel.height}, style, scene);
  if (subject.map.rows() <= kMostNamed) add_names(subject.point_names, axes, frame, scene.points.radius, style, scene);
  return result;
}

}  // namespace unroll
