#include "report/raster.h"

#include <algorithm>
#include <cmath>

namespace unroll {
namespace {

double covered(double distance_inside) { return std::clamp(distance_inside + 0.5, 0.0, 1.0); }

/// How far the point is from the stroke.
double distance_to(const Stroke& stroke, double x, double y) {
  const double dx = stroke.x2 - stroke.x1, dy = stroke.y2 - stroke.y1;
  const double length = dx * dx + dy * dy;
  const double along = length > 0 ? std::clamp(((x - stroke.x1) * dx + (y - stroke.y1) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(x - stroke.x1 - along * dx, y - stroke.y1 - along * dy);
}

}  // namespace

Raster::Raster(std::int64_t width, std::int64_t height, Color ground)
    : width_(width), height_(height), values_(static_cast<std::size_t>(3 * width * height)) {
  for (std::size_t i = 0; i < values_.size(); i += 3) {
    values_[i] = ground.red;
    values_[i + 1] = ground.green;
    values_[i + 2] = ground.blue;
  }
}

Raster::Area Raster::area_around(double left, double top, double right, double bottom) const {
  const auto cut = [](double place, std::int64_t most) {
    return static_cast<std::int64_t>(std::clamp(place, 0.0, static_cast<double>(most)));
  };
  return {cut(std::floor(left), width_), cut(std::floor(top), height_), cut(std::ceil(right), width_),
          cut(std::ceil(bottom), height_)};
}

void Raster::blend(std::int64_t x, std::int64_t y, Color color, float share) {
  float* pixel = values_.data() + 3 * (y * width_ + x);
  pixel[0] += share * (static_cast<float>(color.red) - pixel[0]);
  pixel[1] += share * (static_cast<float>(color.green) - pixel[1]);
  pixel[2] += share * (static_cast<float>(color.blue) - pixel[2]);
}

void Raster::paint_disc(double x, double y, double radius, Color color, double opacity) {
  const Area area = area_around(x - radius - 0.5, y - radius - 0.5, x + radius + 0.5, y + radius + 0.5);
  for (std::int64_t row = area.top; row < area.bottom; ++row)
    for (std::int64_t column = area.left; column < area.right; ++column) {
      const double dx = static_cast<double>(column) + 0.5 - x, dy = static_cast<double>(row) + 0.5 - y;
      const double share = covered(radius - std::sqrt(dx * dx + dy * dy));
      if (share > 0) blend(column, row, color, static_cast<float>(share * opacity));
    }
}

void Raster::paint_box(const Rectangle& place, Color color) {
  const Area area = area_around(place.left, place.top, place.right(), place.bottom());
  const auto overlap = [](std::int64_t pixel, double low, double high) {
    return std::min(static_cast<double>(pixel + 1), high) - std::max(static_cast<double>(pixel), low);
  };
  for (std::int64_t row = area.top; row < area.bottom; ++row)
    for (std::int64_t column = area.left; column < area.right; ++column)
      blend(column, row, color,
            static_cast<float>(overlap(row, place.top, place.bottom()) * overlap(column, place.left, place.right())));
}

void Raster::paint_strokes(const std::vector<Stroke>& strokes, double pen, Color color) {
  if (strokes.empty()) return;
  const double reach = pen / 2 + 0.5;
  Stroke frame{strokes[0].x1, strokes[0].y1, strokes[0].x1, strokes[0].y1};
  for (const Stroke& stroke : strokes)
    frame = {std::min({frame.x1, stroke.x1, stroke.x2}), std::min({frame.y1, stroke.y1, stroke.y2}),
             std::max({frame.x2, stroke.x1, stroke.x2}), std::max({frame.y2, stroke.y1, stroke.y2})};
  const Area all = area_around(frame.x1 - reach, frame.y1 - reach, frame.x2 + reach, frame.y2 + reach);
  const std::int64_t columns = std::max<std::int64_t>(all.right - all.left, 0);
  std::vector<float> shares(static_cast<std::size_t>(columns * std::max<std::int64_t>(all.bottom - all.top, 0)));
  for (const Stroke& stroke : strokes) {
    const Area area = area_around(std::min(stroke.x1, stroke.x2) - reach, std::min(stroke.y1, stroke.y2) - reach,
                                  std::max(stroke.x1, stroke.x2) + reach, std::max(stroke.y1, stroke.y2) + reach);
    for (std::int64_t row = area.top; row < area.bottom; ++row)
      for (std::int64_t column = area.left; column < area.right; ++column) {
        const double distance = distance_to(stroke, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
        float& share = shares[static_cast<std::size_t>((row - all.top) * columns + column - all.left)];
        share = std::max(share, static_cast<float>(covered(pen / 2 - distance)));
      }
  }
  for (std::int64_t row = all.top; row < all.bottom; ++row)
    for (std::int64_t column = all.left; column < all.right; ++column)
      blend(column, row, color, shares[static_cast<std::size_t>((row - all.top) * columns + column - all.left)]);
}

std::vector<std::uint8_t> Raster::rgb() const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values_.size());
  for (const float value : values_)
    bytes.push_back(static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)));
  return bytes;
}

}  // namespace unroll
