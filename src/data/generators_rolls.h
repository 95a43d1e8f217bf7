#pragma once
#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "data/generators_common.h"

/// Surfaces rolled up from a flat rectangle without stretching: the truth is the place in the rectangle, and distances
/// in it are distances along the surface.
namespace unroll {

enum class RollDensity { Uniform, Nonuniform };
constexpr auto enum_names(RollDensity) {
  return std::array{Named{RollDensity::Uniform, "uniform"}, Named{RollDensity::Nonuniform, "nonuniform"}};
}

/// (t cos t, height, t sin t) with 1.5 pi <= t <= 4.5 pi, the shape of scikit-learn's make_swiss_roll.
struct SwissRollOptions {
  static constexpr std::string_view kName = "swiss_roll";
  static constexpr std::string_view kTitle = "Swiss roll: a rectangle rolled up along a spiral";

  double height = 21;
  double noise = 0;
  bool hole = false;
  RollDensity density = RollDensity::Uniform;

  static OptionFields fields() {
    return {
        field<&SwissRollOptions::height>("height", positive_length(), "Height of the roll."),
        field<&SwissRollOptions::noise>("noise", deviation(), kNoiseHelp),
        field<&SwissRollOptions::hole>(
            "hole", any_value(),
            "Cut out the middle ninth of the unrolled rectangle: a third of its length by a third of its height."),
        field<&SwissRollOptions::density>(
            "density", any_value(),
            "uniform: over the area of the unrolled rectangle; nonuniform: in the angle, as scikit-learn does, which "
            "makes the inner turns denser."),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const SwissRollOptions& options);

struct RollClustersOptions {
  static constexpr std::string_view kName = "roll_clusters";
  static constexpr std::string_view kTitle = "Clusters on a Swiss roll: separate patches, one after the other";

  std::int64_t n_clusters = 6;
  double fill = 0.6;
  double height = 21;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&RollClustersOptions::n_clusters>("n_clusters", between(1, 1000),
                                                "Clusters; the roll is cut into that many pieces of equal length."),
        field<&RollClustersOptions::fill>(
            "fill", Limits{.low = 0, .high = 1, .low_open = true},
            "Diameter of a cluster, an ellipse in the middle of its piece, relative to the piece; at 1 they touch."),
        field<&RollClustersOptions::height>("height", positive_length(), "Height of the roll."),
        field<&RollClustersOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const RollClustersOptions& options);

/// (sin t, height, sign(t) (cos t - 1)): two arcs of unit radius, so that |t| is the arc length.
/// scikit-learn's make_s_curve has arc 3 pi and height 2.
struct SCurveOptions {
  static constexpr std::string_view kName = "s_curve";
  static constexpr std::string_view kTitle = "S-curve: a rectangle bent into the letter S";

  double arc = 3 * std::numbers::pi;
  double height = 5;
  double noise = 0;

  static OptionFields fields() {
    return {
        field<&SCurveOptions::arc>("arc",
                                   Limits{.low = 0, .high = 4 * std::numbers::pi, .low_open = true, .high_open = true},
                                   "Length of the S; its two circles of radius 1 would close at 4 pi."),
        field<&SCurveOptions::height>("height", positive_length(), "Height of the S."),
        field<&SCurveOptions::noise>("noise", deviation(), kNoiseHelp),
    };
  }
};
Dataset generate(Index n_samples, std::uint64_t seed, const SCurveOptions& options);

/// Length of the spiral of radius t from its centre to the angle t, (t sqrt(1 + t^2) + asinh t) / 2, and its inverse.
double spiral_length(double angle);
double spiral_angle(double length);

}  // namespace unroll
