#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// A picture as a list of shapes in pixels, y downwards: what the writers of all formats read.
namespace unroll {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Color&) const = default;
};

struct Rectangle {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct SceneBox {
  Rectangle place = {};
  Color color = {};
};

enum class Anchor { Start, Middle, End };

/// One line of text. x is its beginning, middle or end, y its baseline.
struct SceneText {
  double x = 0;
  double y = 0;
  std::string words = {};
  double size = 12;
  Color color = {};
  Anchor anchor = Anchor::Start;
  bool bold = false;
  bool upwards = false;  ///< turned by a quarter, read from below
  bool halo = false;     ///< set off from what lies below it
};

struct SceneDot {
  float x = 0;
  float y = 0;
  std::uint16_t color = 0;  ///< in the palette of the scene
};

/// Discs of one size, drawn in their order.
struct SceneDots {
  std::vector<SceneDot> dots = {};
  double radius = 1;
  double opacity = 1;
};

/// Drawn in the order of the members.
struct Scene {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::string title = {};  ///< for readers who cannot see
  Color ground = {255, 255, 255};
  std::vector<Color> palette = {};
  std::vector<SceneBox> boxes = {};
  SceneDots points = {};
  SceneDots marks = {};  ///< of the legend
  std::vector<SceneText> texts = {};
};

/// PNG of eight bits per channel.
std::string png_of(const Scene& scene);
std::string svg_of(const Scene& scene);

}  // namespace unroll
