#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "report/page_text.h"
#include "report/scene.h"

namespace unroll {
namespace {

std::string hex(Color color) { return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue); }

/// Dots of one color are one path, whose pieces are lines of length 0 with round ends: a third of the text of circles.
/// Where a path covers itself it is not darker, though. So faint dots are cut into several layers, in their order.
void add_points(const Scene& scene, std::string& text) {
  constexpr std::size_t kMostLayers = 32, kFewest = 64;
  const SceneDots& cloud = scene.points;
  const std::size_t count = cloud.dots.size();
  const std::size_t layers = std::clamp<std::size_t>(count / kFewest, 1, kMostLayers);
  fmt::format_to(std::back_inserter(text),
                 "<g fill=\"none\" stroke-linecap=\"round\" stroke-width=\"{:.2f}\" stroke-opacity=\"{:.3f}\">\n",
                 2 * cloud.radius, cloud.opacity);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::map<std::uint16_t, std::string> paths;
    for (std::size_t i = layer * count / layers; i < (layer + 1) * count / layers; ++i)
      fmt::format_to(std::back_inserter(paths[cloud.dots[i].color]), "M{:.1f} {:.1f}h0", cloud.dots[i].x,
                     cloud.dots[i].y);
    for (const auto& [color, path] : paths)
      fmt::format_to(std::back_inserter(text), "<path stroke=\"{}\" d=\"{}\"/>\n", hex(scene.palette[color]), path);
  }
  text += "</g>\n";
}

void add_text(const Scene& scene, const SceneText& line, std::string& text) {
  constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
  std::string more;
  if (line.anchor != Anchor::Start)
    more += fmt::format(" text-anchor=\"{}\"", kAnchors[static_cast<std::size_t>(line.anchor)]);
  if (line.bold) more += " font-weight=\"600\"";
  if (line.upwards) more += fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", line.x, line.y);
  if (line.halo)
    more += fmt::format(" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                        hex(scene.ground));
  fmt::format_to(std::back_inserter(text),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" fill=\"{}\"{}>{}</text>\n", line.x, line.y,
                 line.size, hex(line.color), more, html_text(line.words));
}

}  // namespace

std::string svg_of(const Scene& scene) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
      scene.width, scene.height, html_text(scene.title), hex(scene.ground));
  for (const SceneBox& box : scene.boxes)
    text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                        box.place.left, box.place.top, box.place.width, box.place.height, hex(box.color));
  add_points(scene, text);
  for (const SceneDot& mark : scene.marks.dots)
    text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", mark.x, mark.y,
                        scene.marks.radius, hex(scene.palette[mark.color]));
  for (const SceneText& line : scene.texts) add_text(scene, line, text);
  return text + "</svg>\n";
}

}  // namespace unroll
