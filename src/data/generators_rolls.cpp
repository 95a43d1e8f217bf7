#include "data/generators_rolls.h"

#include <cmath>

namespace unroll {
namespace {

constexpr double kInnerAngle = 1.5 * std::numbers::pi;
constexpr double kOuterAngle = 4.5 * std::numbers::pi;

/// A place in the unrolled rectangle.
struct Place {
  double arc;  ///< from the inner end of the roll
  double height;
};

/// The unrolled rectangle, and how it is rolled up.
struct Roll {
  double height;
  double inner_length = spiral_length(kInnerAngle);
  double length = spiral_length(kOuterAngle) - inner_length;

  void put(Dataset& data, Index row, const Place& place) const {
    const double t = spiral_angle(inner_length + place.arc);
    data.points(row, 0) = t * std::cos(t);
    data.points(row, 1) = place.height;
    data.points(row, 2) = t * std::sin(t);
    data.truth(row, 0) = place.arc;
    data.truth(row, 1) = place.height;
  }

  Place draw(const RowRandom& random, Index row, std::uint64_t attempt, RollDensity density) const {
    const double at_height = random.uniform(row, 2 * attempt + 1, 0, height);
    if (density == RollDensity::Uniform) return {random.uniform(row, 2 * attempt, 0, length), at_height};
    return {spiral_length(random.uniform(row, 2 * attempt, kInnerAngle, kOuterAngle)) - inner_length, at_height};
  }

  Place draw_outside_hole(const RowRandom& random, Index row, RollDensity density) const {
    // Fewer than one draw in eight falls into the hole: the cap is never reached.
    constexpr std::uint64_t kMaxAttempts = 1000;
    Place place = draw(random, row, 0, density);
    for (std::uint64_t attempt = 1; in_hole(place) && attempt < kMaxAttempts; ++attempt)
      place = draw(random, row, attempt, density);
    return place;
  }

  bool in_hole(const Place& place) const {
    const auto in_middle_third = [](double x, double side) { return 3 * x > side && 3 * x < 2 * side; };
    return in_middle_third(place.arc, length) && in_middle_third(place.height, height);
  }
};

}  // namespace

double spiral_length(double angle) { return (angle * std::sqrt(1 + angle * angle) + std::asinh(angle)) / 2; }

double spiral_angle(double length) {
  // length >= angle^2 / 2 and is convex: Newton's method descends from the bound without overshooting.
  const double bound = std::sqrt(2 * length);
  return solve_increasing(length, 0, bound, bound, [](double t) {
    return std::pair{spiral_length(t), std::sqrt(1 + t * t)};
  });
}

Dataset generate(Index n_samples, std::uint64_t seed, const SwissRollOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"arc", "height"});
  const RowRandom random(seed, options.kName);
  const Roll roll{options.height};
  for (Index i = 0; i < n_samples; ++i)
    roll.put(
        data, i,
        options.hole ? roll.draw_outside_hole(random, i, options.density) : roll.draw(random, i, 0, options.density));
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const RollClustersOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"arc", "height"});
  add_labels(data, options.n_clusters);
  const RowRandom random(seed, options.kName);
  const Roll roll{options.height};
  const double piece = roll.length / static_cast<double>(options.n_clusters);
  for (Index i = 0; i < n_samples; ++i) {
    // Uniform in the unit disc: the square root makes the area, not the radius, uniform.
    const double radius = options.fill / 2 * std::sqrt(random.uniform(i, 0, 0, 1));
    const double angle = random.uniform(i, 1, 0, 2 * std::numbers::pi);
    const auto cluster = static_cast<double>(data.labels[static_cast<std::size_t>(i)]);
    roll.put(data, i,
             {piece * (cluster + 0.5 + radius * std::cos(angle)), roll.height * (0.5 + radius * std::sin(angle))});
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

Dataset generate(Index n_samples, std::uint64_t seed, const SCurveOptions& options) {
  Dataset data = blank_dataset(n_samples, 3, {"arc", "height"});
  const RowRandom random(seed, options.kName);
  for (Index i = 0; i < n_samples; ++i) {
    const double arc = random.uniform(i, 0, 0, options.arc);
    const double height = random.uniform(i, 1, 0, options.height);
    const double t = arc - options.arc / 2;
    data.points(i, 0) = std::sin(t);
    data.points(i, 1) = height;
    data.points(i, 2) = std::copysign(std::cos(t) - 1, -t);
    data.truth(i, 0) = arc;
    data.truth(i, 1) = height;
  }
  add_noise(data, options.noise, seed, options.kName);
  return data;
}

}  // namespace unroll
