#include "image_shape.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "unroll/core/error.h"

namespace unroll::cli {
namespace {

constexpr std::string_view kAuto = "auto", kNone = "none";
constexpr Index kFewestPixels = 64;

struct ImageShape {
  Index rows = 0;
  Index columns = 0;
};

std::optional<Index> positive(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

ImageShape shape_of(const std::string& text) {
  const std::size_t sign = text.find('x');
  const auto rows = positive(std::string_view(text).substr(0, sign));
  const auto columns = sign == std::string::npos ? std::nullopt : positive(std::string_view(text).substr(sign + 1));
  if (!rows || !columns)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("--images {} must be auto, none, or ROWSxCOLUMNS", text),
                 .advice = "for squares of 28 pixels: --images 28x28",
                 .option = "images"});
  return {*rows, *columns};
}

/// Whether all numbers could be grey values: whole numbers of a byte, or shares.
bool are_grey(PointsView points) {
  return points.visit([](auto view) {
    bool are_bytes = true, are_shares = true;
    for (Index i = 0; i < view.rows && (are_bytes || are_shares); ++i)
      for (Index j = 0; j < view.cols; ++j) {
        const auto x = static_cast<double>(view(i, j));
        are_bytes = are_bytes && x >= 0 && x <= 255 && x == std::floor(x);
        are_shares = are_shares && x >= 0 && x <= 1;
      }
    return are_bytes || are_shares;
  });
}

bool are_named_pixels(const Table& points) {
  return !points.column_names.empty() &&
         std::all_of(points.column_names.begin(), points.column_names.end(),
                     [](const std::string& name) { return name.starts_with("pixel") || name.starts_with("px"); });
}

}  // namespace

void check_image_shape(const std::string& text) {
  if (text != kAuto && text != kNone) shape_of(text);
}

Index image_rows(const std::string& text, const Table& points) {
  const Index pixels = points.view().cols();
  if (text == kNone) return 0;
  if (text == kAuto) {
    const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(pixels))));
    if (pixels < kFewestPixels || side * side != pixels) return 0;
    return are_named_pixels(points) || are_grey(points.view()) ? side : 0;
  }
  const ImageShape shape = shape_of(text);
  if (shape.rows * shape.columns != pixels)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("--images {} are {} pixels, but there are {} features", text,
                                        shape.rows * shape.columns, pixels),
                 .option = "images"});
  return shape.rows;
}

}  // namespace unroll::cli
