#include "data/generators_surfaces.h"

#include <fmt/format.h>

#include <cmath>

#include "unroll/core/error.h"

namespace unroll {
namespace {

/// The angle v around the tube up to which the torus has the given fraction of its area. The area up to v is
/// proportional to R v + r sin v; with v = pi + e this is Kepler's equation, e - (r/R) sin e = 2 pi fraction - pi.
double tube_angle(double fraction, double ratio) {
  const double mean_anomaly = kTurn * fraction - std::numbers::pi;
  const double start = std::copysign(std::numbers::pi, mean_anomaly);  // from here Newton's method does not overshoot
  const double e = solve_increasing(mean_anomaly, -std::numbers::pi, std::numbers::pi, start, [ratio](double x) {
    return std::pair{x - ratio * std::sin(x), 1 - ratio * std::cos(x)};
  });
  return std::numbers::pi + e;
}

}  // namespace

Dataset generate(Index n_samples, std::uint64_t seed, const PuncturedSphereOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"x", "y"});
  const RowRandom random(seed, options.kName);
  // Archimedes: a uniform height gives a uniform area. depth = 1 - cos(angle from the south pole).
  const double max_depth = 2 * std::pow(std::cos(options.opening / 2), 2);
  for (Index i = 0; i < n_samples; ++i) {
    const double depth = random.uniform(i, 0, 0, max_depth);
    const double longitude = random.uniform(i, 1, 0, kTurn);
    const double radius = std::sqrt(depth * (2 - depth));
    const double projected = 2 * std::sqrt(depth / (2 - depth));
    data.points(i, 0) = radius * std::cos(longitude);
    data.points(i, 1) = radius * std::sin(longitude);
    data.points(i, 2) = depth - 1;
    data.truth(i, 0) = projected * std::cos(longitude);
    data.truth(i, 1) = projected * std::sin(longitude);
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const TwinPeaksOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"x", "y"});
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double x = random.uniform(i, 0, -1, 1);
    const double y = random.uniform(i, 1, -1, 1);
    data.points(i, 0) = data.truth(i, 0) = x;
    data.points(i, 1) = data.truth(i, 1) = y;
    data.points(i, 2) = options.height * std::sin(std::numbers::pi * x) * std::tanh(3 * y);
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const MobiusStripOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"along", "across"});
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double u = random.uniform(i, 0, 0, kTurn);
    const double v = random.uniform(i, 1, -options.width / 2, options.width / 2);
    const double radius = 1 + v * std::cos(u / 2);
    data.points(i, 0) = radius * std::cos(u);
    data.points(i, 1) = radius * std::sin(u);
    data.points(i, 2) = v * std::sin(u / 2);
    data.truth(i, 0) = u;
    data.truth(i, 1) = v;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const TorusOptions& options) {
  const double major = options.major_radius, minor = options.minor_radius;
  if (minor >= major)
    throw Error(ErrorKind::InvalidOption,
                fmt::format("minor_radius={} must be less than major_radius={}", minor, major),
                "make the tube thinner");
  Dataset data = blank_dataset(n_samples, 3, {"along", "around"});
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double u = random.uniform(i, 0, 0, kTurn);
    const double v = tube_angle(random.uniform(i, 1, 0, 1), minor / major);
    const double radius = major + minor * std::cos(v);
    data.points(i, 0) = radius * std::cos(u);
    data.points(i, 1) = radius * std::sin(u);
    data.points(i, 2) = minor * std::sin(v);
    data.truth(i, 0) = major * u;
    data.truth(i, 1) = minor * v;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

}  // namespace unroll
