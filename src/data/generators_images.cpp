#include "data/generators_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unroll/core/error.h"

namespace unroll {
namespace {

// Ink covers 48 % of the face, so that with this skin the face is on average as bright as the background. Linear
// methods would find the position of a brighter or darker face.
constexpr double kBackground = 0.5;
constexpr double kInk = 0;
constexpr double kSkin = 0.962;

/// The share of a pixel that a shape covers; the distance is from the pixel's centre to the shape's edge, negative
/// inside. Grey values change smoothly as the shape moves, so that positions between pixels matter.
double coverage(double distance_to_edge) { return std::clamp(0.5 - distance_to_edge, 0.0, 1.0); }

/// Distance to the edge of a disc.
double disc(double x, double y, double radius) { return std::hypot(x, y) - radius; }

/// A face of the given radius around the origin, y pointing down.
struct Face {
  double radius;

  double outline(double x, double y) const { return coverage(disc(x, y, radius)); }

  /// The rim, the eyes and the mouth: the part of a ring that lies below the nose.
  double ink(double x, double y) const {
    const double rim = -disc(x, y, 0.8 * radius);
    const double eyes = disc(std::abs(x) - 0.36 * radius, y + 0.25 * radius, 0.16 * radius);
    const double mouth = std::max(std::abs(disc(x, y, 0.55 * radius)) - 0.09 * radius, 0.25 * radius - y);
    return coverage(std::min({rim, eyes, mouth}));
  }
};

double mixed(double share, double a, double b) { return share * a + (1 - share) * b; }

}  // namespace

Dataset generate(Index n_samples, std::uint64_t seed, const TranslatedFaceOptions& options) {
  if (options.face >= options.size)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("face={} must be less than size={}, or it cannot move", options.face, options.size));
  Dataset data = blank_dataset(n_samples, options.size * options.size, {"x", "y"});
  const RowRandom position(seed, options.kName);
  const RowRandom noise(seed, fmt::format("{}.noise", options.kName));
  const Face face{static_cast<double>(options.face) / 2};
  const double farthest = static_cast<double>(options.size) - face.radius;
  for (Index i = 0; i < n_samples; ++i) {
    const double left = data.truth(i, 0) = position.uniform(i, 0, face.radius, farthest);
    const double top = data.truth(i, 1) = position.uniform(i, 1, face.radius, farthest);
    for (Index pixel = 0; pixel < data.points.cols(); ++pixel) {
      const Index row = pixel / options.size, column = pixel % options.size;
      const double x = static_cast<double>(column) + 0.5 - left;
      const double y = static_cast<double>(row) + 0.5 - top;
      const double background = kBackground + options.noise * noise.normal(i, static_cast<std::uint64_t>(pixel));
      data.points(i, pixel) = mixed(face.outline(x, y), mixed(face.ink(x, y), kInk, kSkin), background);
    }
  }
  return data;
}

}  // namespace unroll
