#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "data/generators_common.h"

/// Curves in space and in the plane, sampled uniformly in arc length.
namespace unroll {

/// ((2 + cos kt) cos t, (2 + cos kt) sin t, sin kt): k turns around a ring. Closed: arc 0 and the whole length meet.
struct HelixOptions {
  static constexpr std::string_view kName = "helix";
  static constexpr std::string_view kTitle = "Toroidal helix: a spring bent into a closed ring";

  std::int64_t turns = 8;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&HelixOptions::turns>("turns", between(1, 10000), "Turns of the spring, k."),
        field<&HelixOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const HelixOptions& options);

/// (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t). Closed: arc 0 and the whole length meet.
struct TrefoilOptions {
  static constexpr std::string_view kName = "trefoil";
  static constexpr std::string_view kTitle = "Trefoil knot: a closed curve that cannot be untied";

  double noise = 0;

  static OptionFields fields() { return {field<&TrefoilOptions::noise>("noise", deviation(), kNoiseHelp)}; }
};
Dataset generate(Index n_samples, std::uint64_t seed, const TrefoilOptions& options);

/// Rings of radius 1 (label 0) and `factor` (label 1); the truth is the angle. As scikit-learn's make_circles.
struct CirclesOptions {
  static constexpr std::string_view kName = "circles";
  static constexpr std::string_view kTitle = "Circles: two rings, one inside the other";

  double factor = 0.5;
  double noise = 0.05;

  static OptionFields fields() {
    return {
        field<&CirclesOptions::factor>("factor", Limits{.low = 0, .high = 1, .low_open = true, .high_open = true},
                                       "Radius of the inner ring; the outer one has radius 1."),
        field<&CirclesOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const CirclesOptions& options);

/// (cos t, sin t) (label 0) and (1 - cos t, 1/2 - sin t) (label 1), 0 <= t <= pi. As scikit-learn's make_moons.
struct MoonsOptions {
  static constexpr std::string_view kName = "moons";
  static constexpr std::string_view kTitle = "Moons: two half circles that reach into each other";

  double noise = 0.05;

  static OptionFields fields() { return {field<&MoonsOptions::noise>("noise", deviation(), kNoiseHelp)}; }
};
Dataset generate(Index n_samples, std::uint64_t seed, const MoonsOptions& options);

/// Arc length of a curve whose speed |x'(t)| is smooth and periodic, and its inverse. Gauss-Legendre quadrature
/// tabulates one period; within a cell of the table the same quadrature and Newton's method are accurate up to
/// rounding.
class PeriodicArcLength {
 public:
  PeriodicArcLength(std::function<double(double)> speed, double period);

  double per_period() const { return knots_.back(); }
  /// For 0 <= t.
  double length(double t) const;
  double parameter(double length) const;

 private:
  double integral(double begin, double width) const;

  std::function<double(double)> speed_;
  double period_;
  double cell_;                ///< width of a cell in t
  std::vector<double> knots_;  ///< 0, then the length from 0 to the end of each cell
};

}  // namespace unroll
