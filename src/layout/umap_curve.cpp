#include "layout/umap_curve.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "unroll/core/error.h"
#include "unroll/core/types.h"

namespace unroll {
namespace {

constexpr Index kCurvePoints = 300;

/// Sums over the distances x = 3 spread * i / 299. Parameters are log(a) and log(b), so that both stay positive; d is
/// relative to the spread, which enters a as spread^-2b.
struct CurveSystem {
  double cost = 0;
  std::array<double, 2> gradient = {};
  std::array<double, 3> normal = {};  ///< J'J: aa, ab, bb
};

CurveSystem curve_system(double log_a, double log_b, double min_dist) {
  const double a = std::exp(log_a), b = std::exp(log_b);
  CurveSystem sums;
  for (Index i = 0; i < kCurvePoints; ++i) {
    const double x = 3.0 * static_cast<double>(i) / static_cast<double>(kCurvePoints - 1);
    const double wanted = x < min_dist ? 1 : std::exp(-(x - min_dist));
    const double power = x > 0 ? a * std::pow(x, 2 * b) : 0;
    const double value = 1 / (1 + power);
    const double by_a = std::isinf(power) ? 0 : -value * value * power;
    const double by_b = x > 0 ? by_a * 2 * b * std::log(x) : 0;
    const double rest = value - wanted;
    sums.cost += rest * rest;
    sums.gradient[0] += by_a * rest, sums.gradient[1] += by_b * rest;
    sums.normal[0] += by_a * by_a, sums.normal[1] += by_a * by_b, sums.normal[2] += by_b * by_b;
  }
  return sums;
}

}  // namespace

UmapCurve fit_umap_curve(double min_dist, double spread) {
  // Levenberg (1944) and Marquardt (1963): steps of Gauss and Newton, shortened until the cost falls.
  constexpr int kMostSteps = 500;
  double log_a = 0, log_b = 0, damping = 1e-3;
  const double relative = min_dist / spread;
  CurveSystem now = curve_system(log_a, log_b, relative);
  for (int step = 0; step < kMostSteps && damping < 1e12; ++step) {
    const double aa = now.normal[0] * (1 + damping), bb = now.normal[2] * (1 + damping), ab = now.normal[1];
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 0)) break;
    const double da = -(bb * now.gradient[0] - ab * now.gradient[1]) / determinant;
    const double db = -(aa * now.gradient[1] - ab * now.gradient[0]) / determinant;
    const CurveSystem next = curve_system(log_a + da, log_b + db, relative);
    if (!(next.cost < now.cost)) {
      damping *= 4;
      continue;
    }
    log_a += da, log_b += db, damping /= 4, now = next;
    if (std::abs(da) + std::abs(db) < 1e-12) break;
  }
  const double b = std::exp(log_b);
  return {std::exp(log_a) * std::pow(spread, -2 * b), b};
}

UmapCurve chosen_umap_curve(std::optional<double> a, std::optional<double> b, double min_dist, double spread) {
  if (a.has_value() != b.has_value())
    throw Error(ErrorKind::InvalidOption, {.problem = "a and b are given together or not at all",
                                           .advice = "give both, or min_dist",
                                           .option = a ? "a" : "b"});
  if (min_dist > spread)
    throw Error(ErrorKind::InvalidOption,
                {.problem = fmt::format("min_dist={:g} must be at most spread={:g}", min_dist, spread),
                 .advice = "use a smaller min_dist or a larger spread",
                 .option = "min_dist"});
  return a ? UmapCurve{*a, *b} : fit_umap_curve(min_dist, spread);
}

}  // namespace unroll
