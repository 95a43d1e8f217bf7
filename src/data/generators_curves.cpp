#include "data/generators_curves.h"

#include <cmath>
#include <numbers>

namespace unroll {

Dataset generate(Index n_samples, std::uint64_t seed, const HelixOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"arc"});
  const RowRandom random(seed, options.kName);
  const auto turns = static_cast<double>(options.turns);
  const auto speed = [turns](double t) {
    const double radius = 2 + std::cos(turns * t);
    return std::sqrt(radius * radius + turns * turns);
  };
  const PeriodicArcLength arc_length(speed, kTurn / turns);
  const double whole = turns * arc_length.per_period();
  for (Index i = 0; i < n_samples; ++i) {
    const double arc = random.uniform(i, 0, 0, whole);
    const double t = arc_length.parameter(arc);
    const double radius = 2 + std::cos(turns * t);
    data.points(i, 0) = radius * std::cos(t);
    data.points(i, 1) = radius * std::sin(t);
    data.points(i, 2) = std::sin(turns * t);
    data.truth(i, 0) = arc;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const TrefoilOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"arc"});
  const RowRandom random(seed, options.kName);
  // |x'|^2 = 17 + 8 cos 3t + 9 cos^2 3t
  const auto speed = [](double t) {
    const double c = std::cos(3 * t);
    return std::sqrt(17 + c * (8 + 9 * c));
  };
  const PeriodicArcLength arc_length(speed, kTurn / 3);
  const double whole = 3 * arc_length.per_period();
  for (Index i = 0; i < n_samples; ++i) {
    const double arc = random.uniform(i, 0, 0, whole);
    const double t = arc_length.parameter(arc);
    data.points(i, 0) = std::sin(t) + 2 * std::sin(2 * t);
    data.points(i, 1) = std::cos(t) - 2 * std::cos(2 * t);
    data.points(i, 2) = -std::sin(3 * t);
    data.truth(i, 0) = arc;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const CirclesOptions& options) {
  Dataset data = blank_dataset(n_samples, 2, {"angle"});
  add_labels(data, 2);
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double angle = random.uniform(i, 0, 0, kTurn);
    const double radius = data.labels[static_cast<std::size_t>(i)] == 0 ? 1 : options.factor;
    data.points(i, 0) = radius * std::cos(angle);
    data.points(i, 1) = radius * std::sin(angle);
    data.truth(i, 0) = angle;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const MoonsOptions& options) {
  Dataset data = blank_dataset(n_samples, 2, {"arc"});
  add_labels(data, 2);
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double arc = random.uniform(i, 0, 0, std::numbers::pi);  // of a half circle of radius 1
    const bool upper = data.labels[static_cast<std::size_t>(i)] == 0;
    data.points(i, 0) = upper ? std::cos(arc) : 1 - std::cos(arc);
    data.points(i, 1) = upper ? std::sin(arc) : 0.5 - std::sin(arc);
    data.truth(i, 0) = arc;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

}  // namespace unroll
