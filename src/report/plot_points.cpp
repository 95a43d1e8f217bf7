#include "report/plot_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/at.h"

namespace unroll {
namespace {

/// Steps that go through 0 .. n-1 in an order that mixes neighbours: near the golden ratio of n, and without a common
/// divisor with it. Points are often sorted by class, and the last class would hide the others.
Index mixing_step(Index n) {
  auto step = static_cast<Index>(static_cast<double>(n) / std::numbers::phi);
  while (std::gcd(step, n) != 1) ++step;
  return step;
}

/// How many points share a square pixel where points are: among cells of some pixels, that which nine in ten points do
/// not exceed.
double crowding(const std::vector<SceneDot>& dots, const Rectangle& panel, double cell) {
  const auto columns = static_cast<std::size_t>(panel.width / cell) + 1;
  std::vector<Index> counts(columns * (static_cast<std::size_t>(panel.height / cell) + 1));
  const auto cell_of = [&](const SceneDot& dot) {
    const double across = std::clamp((dot.x - panel.left) / cell, 0.0, panel.width / cell);
    const double down = std::clamp((dot.y - panel.top) / cell, 0.0, panel.height / cell);
    return static_cast<std::size_t>(down) * columns + static_cast<std::size_t>(across);
  };
  for (const SceneDot& dot : dots) ++counts[cell_of(dot)];
  std::sort(counts.begin(), counts.end());
  Index passed = 0;
  for (const Index count : counts) {
    passed += count;
    if (10 * passed >= 9 * std::ssize(dots)) return static_cast<double>(count) / (cell * cell);
  }
  return 0;
}

/// Discs that hardly touch each other where most points lie, within what can be seen and looks well.
double radius_for(double density) {
  constexpr double kSmallest = 1.1, kLargestRadius = 4.2, kOfSpacing = 0.7;
  return density > 0 ? std::clamp(kOfSpacing / std::sqrt(density), kSmallest, kLargestRadius) : kLargestRadius;
}

/// So many discs over each other hide 95 % of the ground.
double opacity_for(double layers) {
  constexpr double kFaintest = 0.08, kMost = 0.85;
  return std::clamp(1 - std::pow(0.05, 1 / std::max(layers, 1e-3)), kFaintest, kMost);
}

}  // namespace

SceneDots plot_points(const PlotAxes& axes, const PointColors& colors, const PlotFrame& frame, double unit,
                      const PlotOptions& options) {
  const Index n = std::ssize(axes.across.values);
  SceneDots result;
  result.dots.reserve(at(n));
  const Index step = n > 0 ? mixing_step(n) : 1;
  const Index most = std::min(n, options.max_drawn.value_or(n));
  for (const bool is_known : {false, true})  // what is not known lies below
    for (Index count = 0, i = 0; count < most; ++count, i = (i + step) % n) {
      const double a = axes.across.values[at(i)], b = axes.up.values[at(i)];
      const std::uint16_t color = colors.of_points[at(i)];
      if ((color >= kFirstColor) == is_known && frame.contains(a, b))
        result.dots.push_back({static_cast<float>(frame.x(a)), static_cast<float>(frame.y(b)), color});
    }
  const double density = crowding(result.dots, frame.panel, 6 * unit);
  result.radius = options.point_size ? *options.point_size / 2 : unit * radius_for(unit * unit * density);
  result.opacity = options.opacity.value_or(opacity_for(density * std::numbers::pi * result.radius * result.radius));
  return result;
}

}  // namespace unroll
