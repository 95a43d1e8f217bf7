#include "report/plot_style.h"

#include <algorithm>
#include <cmath>

#include "report/stroke_font.h"

namespace unroll {

PlotStyle::PlotStyle(std::int64_t width, std::int64_t height, bool dark) {
  constexpr double kSmallest = 0.9;  // text that is smaller cannot be read
  unit = std::max(kSmallest, std::min(static_cast<double>(width) / 800, static_cast<double>(height) / 600));
  if (!dark) return;
  ground = {0x16, 0x18, 0x1d};
  ink = {0xe8, 0xea, 0xed};
  soft = {0x9a, 0xa0, 0xa8};
  line = {0x2b, 0x2f, 0x36};
}

SceneBox PlotStyle::horizontal(double left, double right, double y) const {
  const double width = std::max(1.0, std::round(unit));
  return {{std::round(left), std::round(y - width / 2), std::round(right) - std::round(left), width}, line};
}

SceneBox PlotStyle::vertical(double x, double top, double bottom) const {
  const double width = std::max(1.0, std::round(unit));
  return {{std::round(x - width / 2), std::round(top), width, std::round(bottom) - std::round(top)}, line};
}

std::string shortened(std::string_view words, double size, double most) {
  constexpr std::string_view kDots = "...";
  constexpr std::size_t kMostBytes = 2000;  // no picture has room for more
  if (text_length(words, size) <= most) return std::string(words);
  std::size_t end = std::min(words.size(), kMostBytes + 1);
  const auto is_inside_character = [&] { return (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U; };
  while (end > 0 && text_length(words.substr(0, end), size) + text_length(kDots, size) > most) {
    --end;
    while (end > 0 && is_inside_character()) --end;
  }
  return std::string(words.substr(0, end)) + std::string(kDots);
}

}  // namespace unroll
